"""Attributes of contact pairs, excludes and equality constraints."""

CONSTRAINTS_TEXT = """
# pair
geom1           str!       ""
geom2           str!       ""

# pair: pair+
condim          int        3                         pair_dim i4             -  pick 1 3 4 6
    contact dimension
    > as geom/condim
friction        real[1-5]  1 1 0.005 0.0001 0.0001   pair_friction f8        -  friction5
    friction coefficients: two sliding, torsional, two rolling
    > as geom/friction
solref          real[1-2]  0.02 1                    pair_solref f8          -  solref
    reference spring-damper of its contacts
    > as geom/solref
solreffriction  real[1-2]  0 0                       pair_solreffriction f8  -  solref
    reference spring-damper of their friction; 0 0: same as solref
    > as geom/solref
solimp          real[1-5]  0.9 0.95 0.001 0.5 2      pair_solimp f8          -  solimp
    impedance of its contacts
    > as geom/solimp
margin          real       0                         pair_margin f8          m  1e-4 any
    distance below which contacts are active
    > as geom/margin
gap             real       0                         pair_gap f8             m  1e-4 any
    additional distance within which inactive contacts are reported
    > as geom/gap
adhesion        real       0                         pair_adhesion f8        N
    adhesion force of its contacts

# exclude
body1           str!       ""
body2           str!       ""

# equality:
data            real[12]   (from the pose at qpos0)  eq_data f8              -  eq_data *
    parameters of its type
    > What it holds at: an anchor, a pose, the coefficients of a polynomial, or a distance.

# equality: connect weld equality/joint equality/tendon equality/distance default/equality
active          bool       true                      eq_active0 b1           -  switch
    active; d.eq_active follows it at run time
solref          real[1-2]  0.02 1                    eq_solref f8            -  solref
    reference spring-damper of the constraint
    > as geom/solref
solimp          real[1-5]  0.9 0.95 0.001 0.5 2      eq_solimp f8            -  solimp
    impedance of the constraint
    > as geom/solimp

# equality: connect weld
body1           str
body2           str
anchor          real[3]
site1           str
site2           str

# equality: weld
relpose         real[7]
torquescale     real

# equality: equality/joint
joint1          str!
joint2          str

# equality: equality/joint equality/tendon
polycoef        real[1-5]

# equality: equality/tendon
tendon1         str!
tendon2         str

# equality: equality/distance
geom1           str!
geom2           str!
distance        real!
"""
