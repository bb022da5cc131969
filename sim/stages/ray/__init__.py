"""Rays: what a straight line from a point meets first.

`shape` planes, spheres, capsules, ellipsoids, cylinders and boxes; `surface` meshes and height fields, made of
triangles; `cast` all geoms of a model, one ray or many, for kernels and for Python. A ray is p + x v, x ≥ 0; results
are x, which is -1 if nothing is met, the geom and the normal of its surface.
"""
