"""Attributes of <visual> and <statistic>."""

VISUAL_TEXT = """
# visual/headlight: headlight
## Headlight
active            enum:headlight  auto              vis.headlight.active i8          -    enum
    whether the headlight is on; auto: it is
ambient           real[3]         0.1 0.1 0.1       vis.headlight.ambient f4         -    colour
    ambient colour of the headlight
diffuse           real[3]         0.4 0.4 0.4       vis.headlight.diffuse f4         -    colour
    diffuse colour of the headlight
specular          real[3]         0.5 0.5 0.5       vis.headlight.specular f4        -    colour
    specular colour of the headlight

# visual/global: global
cameraid          int             -1                vis.global_.cameraid i8
    initial camera; -1: free
## Free camera
fovy              real            45                vis.global_.fovy f4              deg  0.5 0.1..179.9
    vertical field of view of the free camera
orthographic      bool            false             vis.global_.orthographic i8      -    switch
    orthographic projection of the free camera
ipd               real            0.068             vis.global_.ipd f4               m
    interpupillary distance of the free camera
azimuth           real            90                vis.global_.azimuth f4           deg
    initial azimuth of the free camera
elevation         real            -45               vis.global_.elevation f4         deg
    initial elevation of the free camera
linewidth         real            1                 vis.global_.linewidth f4
    width of wireframe lines
## Global
ellipsoidinertia  bool            false             vis.global_.ellipsoidinertia i8  -    switch
    draw inertias as ellipsoids instead of boxes
realtime          real            1                 vis.global_.realtime f4
    initial speed; 1: real time
offwidth          int             640               vis.global_.offwidth i8          px
    width of offscreen images
offheight         int             480               vis.global_.offheight i8         px
    height of offscreen images
glow              real            0.3               vis.global_.glow f4              -    0.01 >=0
    glow of the selected body
bvactive          bool            false             vis.global_.bvactive i8
    highlight active bounding volumes

# statistic
meaninertia       real            1 (computed)      stat.meaninertia f8
    mean diagonal entry of the inertia matrix
meanmass          real            1 (computed)      stat.meanmass f8                 kg
    mean mass of the moving bodies
## Global
extent            real            1 (computed)      stat.extent f8                   m    0.01 >0
    radius of the model
meansize          real            1 (computed)      stat.meansize f8                 m    0.001 >0
    mean size of the bodies
center            real[3]         0 0 0 (computed)  stat.center f8                   m
    centre of the model

# visual/quality: quality
shadowsize        int             4096              vis.quality.shadowsize i8        px
    side length of the shadow map
offsamples        int             4                 vis.quality.offsamples i8
    multisamples of offscreen images
numslices         int             28                vis.quality.numslices i8
    slices around round geoms
numstacks         int             16                vis.quality.numstacks i8
    stacks along round geoms
numquads          int             4                 vis.quality.numquads i8
    subdivisions of box faces

# visual/map: map
## Map
stiffness         real            100               vis.map.stiffness f4             -    1 >=0
    stiffness of a mouse perturbation in translation
    > Higher: the mouse pulls harder at the same distance.
stiffnessrot      real            500               vis.map.stiffnessrot f4          -    1 >=0
    stiffness of a mouse perturbation in rotation
force             real            0.005             vis.map.force f4                 m/N  1e-3 >=0
    length of a force arrow per newton
torque            real            0.1               vis.map.torque f4                1/N
    length of a torque arrow per newton metre
alpha             real            0.3               vis.map.alpha f4                 -    0.01 0..1
    opacity of transparent bodies
fogstart          real            3                 vis.map.fogstart f4              -    0.05 >=0
    distance at which fog starts, in extents
fogend            real            10                vis.map.fogend f4                -    0.05 >=0
    distance at which fog is complete, in extents
znear             real            0.01              vis.map.znear f4                 -    1e-4 >0
    near clipping plane, in extents
zfar              real            50                vis.map.zfar f4                  -    0.1 >0
    far clipping plane, in extents
haze              real            0.3               vis.map.haze f4                  -    0.01 0..1
    fraction of the horizon covered by haze
shadowclip        real            1                 vis.map.shadowclip f4
    reach of directional shadows, in extents
shadowscale       real            0.6               vis.map.shadowscale f4
    cone of spot shadows, as a fraction of the cutoff
actuatortendon    real            2                 vis.map.actuatortendon f4        -    0.05 >=0
    width of actuator tendons, relative to the tendon

# visual/scale: scale
## Scale
forcewidth        real            0.1               vis.scale.forcewidth f4          -    0.01 >=0
    width of force arrows
contactwidth      real            0.3               vis.scale.contactwidth f4        -    0.01 >=0
    width of contact markers
contactheight     real            0.1               vis.scale.contactheight f4       -    0.01 >=0
    height of contact markers
connect           real            0.2               vis.scale.connect f4             -    0.01 >=0
    width of lines between bodies and joints
com               real            0.4               vis.scale.com f4                 -    0.01 >=0
    radius of centre-of-mass markers
camera            real            0.3               vis.scale.camera f4              -    0.01 >=0
    size of camera markers
light             real            0.3               vis.scale.light f4               -    0.01 >=0
    size of light markers
selectpoint       real            0.2               vis.scale.selectpoint f4         -    0.01 >=0
    size of the selection point
jointlength       real            1                 vis.scale.jointlength f4         -    0.01 >=0
    length of joint axes
jointwidth        real            0.1               vis.scale.jointwidth f4          -    0.01 >=0
    width of joint axes
actuatorlength    real            0.7               vis.scale.actuatorlength f4      -    0.01 >=0
    length of actuator markers
actuatorwidth     real            0.2               vis.scale.actuatorwidth f4       -    0.01 >=0
    width of actuator markers
framelength       real            1                 vis.scale.framelength f4         -    0.01 >=0
    length of frame axes
framewidth        real            0.1               vis.scale.framewidth f4          -    0.01 >=0
    width of frame axes
constraint        real            0.1               vis.scale.constraint f4          -    0.01 >=0
    width of constraint lines
slidercrank       real            0.2               vis.scale.slidercrank f4         -    0.01 >=0
    width of slider-cranks
frustum           real            10                vis.scale.frustum f4
    distance of the far plane of drawn frustums

# visual/rgba: rgba
## Colours
fog               real[4]         0 0 0 1           vis.rgba.fog f4                  -    colour
    fog
haze              real[4]         1 1 1 1           vis.rgba.haze f4                 -    colour
    haze
force             real[4]         1 0.5 0.5 1       vis.rgba.force f4                -    colour
    external force
inertia           real[4]         0.8 0.2 0.2 0.6   vis.rgba.inertia f4              -    colour
    inertia
joint             real[4]         0.2 0.6 0.8 1     vis.rgba.joint f4                -    colour
    joint
actuator          real[4]         0.2 0.25 0.2 1    vis.rgba.actuator f4             -    colour
    actuator, neutral
actuatornegative  real[4]         0.2 0.6 0.9 1     vis.rgba.actuatornegative f4     -    colour
    actuator at its negative limit
actuatorpositive  real[4]         0.9 0.4 0.2 1     vis.rgba.actuatorpositive f4     -    colour
    actuator at its positive limit
com               real[4]         0.9 0.9 0.9 1     vis.rgba.com f4                  -    colour
    centre of mass
camera            real[4]         0.6 0.9 0.6 1     vis.rgba.camera f4               -    colour
    camera
light             real[4]         0.6 0.6 0.9 1     vis.rgba.light f4                -    colour
    light
selectpoint       real[4]         0.9 0.9 0.1 1     vis.rgba.selectpoint f4          -    colour
    selection point
connect           real[4]         0.2 0.2 0.8 1     vis.rgba.connect f4              -    colour
    line between body and joint
contactpoint      real[4]         0.9 0.6 0.2 1     vis.rgba.contactpoint f4         -    colour
    contact point
contactforce      real[4]         0.7 0.9 0.9 1     vis.rgba.contactforce f4         -    colour
    contact force
contactfriction   real[4]         0.9 0.8 0.4 1     vis.rgba.contactfriction f4      -    colour
    friction force
contacttorque     real[4]         0.9 0.7 0.9 1     vis.rgba.contacttorque f4
    contact torque
contactgap        real[4]         0.5 0.8 0.9 1     vis.rgba.contactgap f4           -    colour
    contact in its gap
rangefinder       real[4]         1 1 0.1 1         vis.rgba.rangefinder f4          -    colour
    rangefinder ray
constraint        real[4]         0.9 0 0 1         vis.rgba.constraint f4           -    colour
    constraint
slidercrank       real[4]         0.5 0.3 0.8 1     vis.rgba.slidercrank f4          -    colour
    slider-crank
crankbroken       real[4]         0.9 0 0 1         vis.rgba.crankbroken f4          -    colour
    slider-crank whose rod is too short
frustum           real[4]         1 1 0 0.2         vis.rgba.frustum f4
    camera frustum
bv                real[4]         0 1 0 0.5         vis.rgba.bv f4
    bounding volume
bvactive          real[4]         1 0 0 0.5         vis.rgba.bvactive f4
    active bounding volume
"""
