"""The shell domain: files and commands in one working folder, confined by the kernel."""
