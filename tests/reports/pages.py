"""A page of HTML, parsed by the parser of the standard library."""

from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input", "path", "use", "rect", "circle"}
#: Elements that would run, fetch or leave the page.
ACTIVE = {"script", "iframe", "object", "embed", "link", "form", "base", "audio", "video", "foreignobject"}


class Page(HTMLParser):
    """Tags, attributes and text of a page; raises if tags are not properly nested."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        assert len({name for name, _ in attrs}) == len(attrs)
        if tag not in VOID or (self.open and self.open[-1] == ""):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag in VOID and (not self.open or self.open[-1] != tag):
            return
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def attributes(self, name: str) -> list[str]:
        return [attrs[name] for _, attrs in self.tags if attrs.get(name) is not None]

    def check(self) -> None:
        """Check the properties of every report."""
        names = [tag for tag, _ in self.tags]
        assert not ACTIVE & set(names)
        assert names.count("h1") == names.count("main") == names.count("title") == 1
        ids = self.attributes("id")
        assert len(ids) == len(set(ids))
        for _, attrs in self.tags:
            assert not [name for name in attrs if name.startswith("on")]
        targets = [*self.attributes("href"), *self.attributes("xlink:href"), *self.attributes("src")]
        assert all(target.startswith(("#", "data:image/png;base64,")) for target in targets)
        assert {target[1:] for target in targets if target.startswith("#")} <= set(ids)
        assert all(attrs.get("aria-label") for tag, attrs in self.tags if attrs.get("class") == "drawing")
        assert all("alt" in attrs for tag, attrs in self.tags if tag == "img")
