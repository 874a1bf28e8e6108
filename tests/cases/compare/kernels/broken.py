def f():
    raise OSError("no such weights")


f()
