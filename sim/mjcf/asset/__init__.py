"""Compiles assets: meshes, height fields, skins and textures, from files or builtin."""
