"""Fields of m.opt, m.stat and m.vis: physics options, statistics and visualization settings."""

OPTIONS_TEXT = """
@ mjcf
# options
opt.timestep           f8 -            s      simulation timestep = 0.002
opt.impratio           f8 -            -      ratio of friction impedance to normal impedance of contacts = 1
opt.tolerance          f8 -            -      solver: stop when the scaled improvement falls below this = 1e-8
opt.ls_tolerance       f8 -            -      line search: stop when the scaled slope falls below this = 0.01
opt.noslip_tolerance   f8 -            -      noslip: stop when the scaled improvement falls below this = 1e-6
opt.ccd_tolerance      f8 -            -      convex collision: stop at this accuracy = 1e-6
opt.sleep_tolerance    f8 -            m/s    velocity below which a tree may fall asleep = 0.001
opt.gravity            f8 3            m/s²   gravitational acceleration = 0 0 -9.81
opt.wind               f8 3            m/s    velocity of the fluid
opt.magnetic           f8 3            -      magnetic flux = 0 -0.5 0
opt.density            f8 -            kg/m³  density of the fluid
opt.viscosity          f8 -            Pa·s   viscosity of the fluid
opt.o_margin           f8 -            m      margin of overridden contacts
opt.o_solref           f8 2            -      reference spring-damper of overridden contacts = 0.02 1
opt.o_solimp           f8 5            -      impedance of overridden contacts = 0.9 0.95 0.001 0.5 2
opt.o_friction         f8 5            -      friction coefficients of overridden contacts = 1 1 0.005 0.0001 0.0001
opt.integrator         i8 -            -      integrator: Euler, RK4, implicit, implicitfast, implicit spring-damper
opt.cone               i8 -            -      friction cone: pyramidal or elliptic
opt.jacobian           i8 -            -      constraint Jacobian: dense, sparse or automatic = 2
opt.solver             i8 -            -      constraint solver: PGS, CG or Newton = 2
opt.iterations         i8 -            -      maximum number of solver iterations = 100
opt.ls_iterations      i8 -            -      maximum number of line search iterations = 50
opt.noslip_iterations  i8 -            -      maximum number of noslip iterations, which reduce slip after the solver
opt.ccd_iterations     i8 -            -      maximum number of convex collision iterations = 35
opt.disableflags       i8 -            -      bit flags of disabled features
opt.enableflags        i8 -            -      bit flags of enabled optional features
opt.disableactuator    i8 -            -      bit flags of disabled actuator groups
opt.sdf_initpoints     i8 -            -      starting points for signed distance fields = 40
opt.sdf_iterations     i8 -            -      maximum number of iterations for signed distance fields = 10

# statistics
stat.meaninertia       f8 -            -      mean diagonal entry of the inertia matrix = 1
stat.meanmass          f8 -            kg     mean mass of the moving bodies = 1
stat.meansize          f8 -            m      mean size of the bodies = 1
stat.extent            f8 -            m      radius of the model = 1
stat.center            f8 3            m      centre of the model

# visual settings
vis.global_.cameraid          i8 -     -      initial camera; -1: free = -1
vis.global_.orthographic      i8 -     -      orthographic projection of the free camera
vis.global_.fovy              f4 -     deg    vertical field of view of the free camera = 45
vis.global_.ipd               f4 -     m      interpupillary distance of the free camera = 0.068
vis.global_.azimuth           f4 -     deg    initial azimuth of the free camera = 90
vis.global_.elevation         f4 -     deg    initial elevation of the free camera = -45
vis.global_.linewidth         f4 -     -      width of wireframe lines = 1
vis.global_.glow              f4 -     -      glow of the selected body = 0.3
vis.global_.realtime          f4 -     -      initial speed; 1: real time = 1
vis.global_.offwidth          i8 -     px     width of offscreen images = 640
vis.global_.offheight         i8 -     px     height of offscreen images = 480
vis.global_.ellipsoidinertia  i8 -     -      draw inertias as ellipsoids instead of boxes
vis.global_.bvactive          i8 -     -      highlight active bounding volumes
vis.quality.shadowsize        i8 -     px     side length of the shadow map = 4096
vis.quality.offsamples        i8 -     -      multisamples of offscreen images = 4
vis.quality.numslices         i8 -     -      slices around round geoms = 28
vis.quality.numstacks         i8 -     -      stacks along round geoms = 16
vis.quality.numquads          i8 -     -      subdivisions of box faces = 4
vis.headlight.ambient         f4 3     -      ambient colour of the headlight = 0.1 0.1 0.1
vis.headlight.diffuse         f4 3     -      diffuse colour of the headlight = 0.4 0.4 0.4
vis.headlight.specular        f4 3     -      specular colour of the headlight = 0.5 0.5 0.5
vis.headlight.active          i8 -     -      the headlight is on = 1
vis.map.stiffness             f4 -     -      stiffness of a mouse perturbation in translation = 100
vis.map.stiffnessrot          f4 -     -      stiffness of a mouse perturbation in rotation = 500
vis.map.force                 f4 -     m/N    length of a force arrow per newton = 0.005
vis.map.torque                f4 -     1/N    length of a torque arrow per newton metre = 0.1
vis.map.alpha                 f4 -     -      opacity of transparent bodies = 0.3
vis.map.fogstart              f4 -     -      distance at which fog starts, in extents = 3
vis.map.fogend                f4 -     -      distance at which fog is complete, in extents = 10
vis.map.znear                 f4 -     -      near clipping plane, in extents = 0.01
vis.map.zfar                  f4 -     -      far clipping plane, in extents = 50
vis.map.haze                  f4 -     -      fraction of the horizon covered by haze = 0.3
vis.map.shadowclip            f4 -     -      reach of directional shadows, in extents = 1
vis.map.shadowscale           f4 -     -      cone of spot shadows, as a fraction of the cutoff = 0.6
vis.map.actuatortendon        f4 -     -      width of actuator tendons, relative to the tendon = 2
vis.scale.forcewidth          f4 -     -      width of force arrows = 0.1
vis.scale.contactwidth        f4 -     -      width of contact markers = 0.3
vis.scale.contactheight       f4 -     -      height of contact markers = 0.1
vis.scale.connect             f4 -     -      width of lines between bodies and joints = 0.2
vis.scale.com                 f4 -     -      radius of centre-of-mass markers = 0.4
vis.scale.camera              f4 -     -      size of camera markers = 0.3
vis.scale.light               f4 -     -      size of light markers = 0.3
vis.scale.selectpoint         f4 -     -      size of the selection point = 0.2
vis.scale.jointlength         f4 -     -      length of joint axes = 1
vis.scale.jointwidth          f4 -     -      width of joint axes = 0.1
vis.scale.actuatorlength      f4 -     -      length of actuator markers = 0.7
vis.scale.actuatorwidth       f4 -     -      width of actuator markers = 0.2
vis.scale.framelength         f4 -     -      length of frame axes = 1
vis.scale.framewidth          f4 -     -      width of frame axes = 0.1
vis.scale.constraint          f4 -     -      width of constraint lines = 0.1
vis.scale.slidercrank         f4 -     -      width of slider-cranks = 0.2
vis.scale.frustum             f4 -     -      distance of the far plane of drawn frustums = 10
vis.rgba.fog                  f4 4     -      fog = 0 0 0 1
vis.rgba.haze                 f4 4     -      haze = 1 1 1 1
vis.rgba.force                f4 4     -      external force = 1 0.5 0.5 1
vis.rgba.inertia              f4 4     -      inertia = 0.8 0.2 0.2 0.6
vis.rgba.joint                f4 4     -      joint = 0.2 0.6 0.8 1
vis.rgba.actuator             f4 4     -      actuator, neutral = 0.2 0.25 0.2 1
vis.rgba.actuatornegative     f4 4     -      actuator at its negative limit = 0.2 0.6 0.9 1
vis.rgba.actuatorpositive     f4 4     -      actuator at its positive limit = 0.9 0.4 0.2 1
vis.rgba.com                  f4 4     -      centre of mass = 0.9 0.9 0.9 1
vis.rgba.camera               f4 4     -      camera = 0.6 0.9 0.6 1
vis.rgba.light                f4 4     -      light = 0.6 0.6 0.9 1
vis.rgba.selectpoint          f4 4     -      selection point = 0.9 0.9 0.1 1
vis.rgba.connect              f4 4     -      line between body and joint = 0.2 0.2 0.8 1
vis.rgba.contactpoint         f4 4     -      contact point = 0.9 0.6 0.2 1
vis.rgba.contactforce         f4 4     -      contact force = 0.7 0.9 0.9 1
vis.rgba.contactfriction      f4 4     -      friction force = 0.9 0.8 0.4 1
vis.rgba.contacttorque        f4 4     -      contact torque = 0.9 0.7 0.9 1
vis.rgba.contactgap           f4 4     -      contact in its gap = 0.5 0.8 0.9 1
vis.rgba.rangefinder          f4 4     -      rangefinder ray = 1 1 0.1 1
vis.rgba.constraint           f4 4     -      constraint = 0.9 0 0 1
vis.rgba.slidercrank          f4 4     -      slider-crank = 0.5 0.3 0.8 1
vis.rgba.crankbroken          f4 4     -      slider-crank whose rod is too short = 0.9 0 0 1
vis.rgba.frustum              f4 4     -      camera frustum = 1 1 0 0.2
vis.rgba.bv                   f4 4     -      bounding volume = 0 1 0 0.5
vis.rgba.bvactive             f4 4     -      active bounding volume = 1 0 0 0.5
"""
