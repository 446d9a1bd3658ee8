"""Training of networks from game records. The only room that imports torch."""
