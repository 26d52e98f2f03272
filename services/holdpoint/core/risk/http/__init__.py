"""Reads HTTP requests: what a method does to the thing that a path names."""
