"""Assets: meshes, height fields, skins and textures, from files or builtin, to the values of a Model."""
