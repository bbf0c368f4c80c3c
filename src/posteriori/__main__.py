"""``python -m posteriori``: the command, where its script is not on the path."""

from posteriori.cli.main import main

if __name__ == "__main__":
    main()
