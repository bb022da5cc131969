"""Sensors: what a model's instruments say.

`stage` the three stages, delays and cutoffs; `asleep` who need not be asked; `joint` joints, tendons and actuators;
`frame` poses, velocities and accelerations of bodies, geoms, sites and cameras; `optics` projections and range finders;
`distance` from geom to geom; `contact` touch and contacts; `tactile` depth and slip on a surface; `reading` what these
families share.
The readings of sensor s begin at d.sensordata[m.sensor_adr[s]]. A family is a kernel `name(m, d, s)`.
"""
