"""Attributes of tendons and the elements of their paths."""

TENDONS_TEXT = """
# tendon: spatial fixed default/tendon
group               int           0                     tendon_group i4
    visualization group
stiffness           real[1-3]     0                     tendon_stiffness+poly f8  N/m    0.1 any
    spring stiffness
    > as joint/stiffness
damping             real[1-3]     0                     tendon_damping+poly f8    N·s/m  0.01 any
    damping coefficient: resisting force per unit velocity
    > as joint/damping
frictionloss        real          0                     tendon_frictionloss f8    N      0.01 >=0
    largest dry friction force
    > as joint/frictionloss
springlength        real[1-2]     -1 -1                 tendon_lengthspring f8    m      0.001 any [shortest, longest]
    resting length range of the spring
springyield         real          0                     tendon_springyield f8     m      0.001 >=0
    displacement from rest at which its spring yields; never if 0 at load time
    > as joint/springyield
limited             enum:limited  auto                  tendon_limited b1         -      switch
    length range is enforced
range               real[2]       0 0                   tendon_range f8           m      0.01 any [lower, upper]
    lower and upper limit of its length
margin              real          0                     tendon_margin f8          m      1e-3 any
    distance from the limit at which it becomes active
    > as joint/margin
solreflimit         real[1-2]     0.02 1                tendon_solref_lim f8      -      solref
    reference spring-damper of its limit
    > as geom/solref
solimplimit         real[1-5]     0.9 0.95 0.001 0.5 2  tendon_solimp_lim f8      -      solimp
    impedance of its limit
    > as geom/solimp
solreffriction      real[1-2]     0.02 1                tendon_solref_fri f8      -      solref
    reference spring-damper of its dry friction
    > as geom/solref
solimpfriction      real[1-5]     0.9 0.95 0.001 0.5 2  tendon_solimp_fri f8      -      solimp
    impedance of its dry friction
    > as geom/solimp
armature            real          0                     tendon_armature f8        kg     1e-3 >=0 *
    inertia associated with changes of its length
    > as joint/armature
actuatorfrclimited  enum:limited  auto                  tendon_actfrclimited b1
    total actuator force is limited
actuatorfrcrange    real[2]       0 0                   tendon_actfrcrange f8     N
    lower and upper limit of the total actuator force
user                real[]        ()                    tendon_user f8 ntendon,nuser_tendon
    user data

# tendon: spatial default/tendon
width               real          0.003                 tendon_width f8           m      1e-4 >0
    width, for rendering
material            ref:material  ""                    tendon_matid i4
    material, or -1
rgba                real[4]       0.5 0.5 0.5 1         tendon_rgba f4            -      colour
    colour

# spatial/site: spatial/site
site                str!

# spatial/geom: spatial/geom
geom                str!
sidesite            str

# pulley
divisor             real!

# fixed/joint: fixed/joint
joint               str!
coef                real!
"""
