"""Ray casting: the first geom that a ray hits.

`shape` planes, spheres, capsules, ellipsoids, cylinders and boxes; `surface` meshes and height fields; `cast` all geoms
of a model, one ray or many, for kernels and for Python. A ray is p + x v, x ≥ 0; the result is x, which is -1 if there
is no hit, the geom, and its surface normal.
"""
