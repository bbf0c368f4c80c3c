"""The grammar of formulas: text becomes tokens, tokens an immutable tree. Nothing of it is ever run as code.

`tokens` cuts the text, `nodes` is the tree of a factor and its canonical text, `factors` reads factors such as
``bs(age, df=4)``, and `terms` expands sums and products of factors into terms. No other parser sees a formula.
"""
