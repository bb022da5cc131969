"""Sensors: everything a model measures, written to sensordata.

`sensors` the position, velocity and acceleration stages, delays and cutoffs; `asleep` sensors that are skipped;
`joint` joints, tendons and actuators; `frame` poses, velocities and accelerations of bodies, geoms, sites and cameras;
`camera` camera projections and rangefinders; `distance` geom distances; `contact` touch and contacts; `tactile`
penetration depth and slip on a surface; `reading` helpers for all of these.
The outputs of sensor s start at d.sensordata[m.sensor_adr[s]]. A family of sensors is a kernel `name(m, d, s)`.
"""
