"""Types of the fields of Model and Data, for mypy and editors; written by `python -m tests.typed_fields`."""

from collections.abc import Iterator
from typing import Generic, Self, SupportsIndex, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.jit.record import Record
from sim.named import ElementView

T = TypeVar("T", bound=np.generic)

class Array(Generic[T]):
    """An array; assignment copies into it."""

    def __get__(self, owner: object, kind: type | None = None) -> NDArray[T]: ...
    def __set__(self, owner: object, value: ArrayLike) -> None: ...

class Element(Generic[T]):
    """One number of an array."""

    def __get__(self, owner: object, kind: type | None = None) -> T: ...
    def __set__(self, owner: object, value: float | np.number | np.bool_) -> None: ...

class ModelOpt(Record):
    timestep: float
    """simulation timestep [s]"""
    integrator: int
    """integrator: Euler, RK4, implicit, implicitfast, discrete, implicit spring-damper"""
    solver: int
    """constraint solver: PGS, CG or Newton"""
    cone: int
    """friction cone: pyramidal or elliptic"""
    jacobian: int
    """constraint Jacobian: dense, sparse or automatic"""
    impratio: float
    """ratio of friction impedance to normal impedance of contacts"""
    iterations: int
    """maximum number of solver iterations"""
    tolerance: float
    """solver: stop when the scaled improvement falls below this"""
    ls_iterations: int
    """maximum number of line search iterations"""
    ls_tolerance: float
    """line search: stop when the scaled slope falls below this"""
    noslip_iterations: int
    """maximum number of noslip iterations, which reduce slip after the solver"""
    noslip_tolerance: float
    """noslip: stop when the scaled improvement falls below this"""
    ccd_iterations: int
    """maximum number of convex collision iterations"""
    ccd_tolerance: float
    """convex collision: stop at this accuracy"""
    gravity: Array[np.float64]
    """gravitational acceleration [m/s²], shape (3)"""
    wind: Array[np.float64]
    """velocity of the fluid [m/s], shape (3)"""
    magnetic: Array[np.float64]
    """magnetic flux, shape (3)"""
    density: float
    """density of the fluid [kg/m³]"""
    viscosity: float
    """viscosity of the fluid [Pa·s]"""
    sleep_tolerance: float
    """velocity below which a tree may fall asleep [m/s]"""
    o_margin: float
    """margin of overridden contacts [m]"""
    o_solref: Array[np.float64]
    """reference spring-damper of overridden contacts, shape (2)"""
    o_solimp: Array[np.float64]
    """impedance of overridden contacts, shape (5)"""
    o_friction: Array[np.float64]
    """friction coefficients of overridden contacts, shape (5)"""
    sdf_initpoints: int
    """starting points for signed distance fields"""
    sdf_iterations: int
    """maximum number of iterations for signed distance fields"""
    disableflags: int
    """bit flags of disabled features"""
    enableflags: int
    """bit flags of enabled optional features"""
    disableactuator: int
    """bit flags of disabled actuator groups"""

class ModelVis(Record):
    @property
    def headlight(self) -> ModelVisHeadlight: ...
    @property
    def global_(self) -> ModelVisGlobal: ...
    @property
    def quality(self) -> ModelVisQuality: ...
    @property
    def map(self) -> ModelVisMap: ...
    @property
    def scale(self) -> ModelVisScale: ...
    @property
    def rgba(self) -> ModelVisRgba: ...

class ModelVisHeadlight(Record):
    active: int
    """whether the headlight is on; auto: it is"""
    ambient: Array[np.float32]
    """ambient colour of the headlight, shape (3)"""
    diffuse: Array[np.float32]
    """diffuse colour of the headlight, shape (3)"""
    specular: Array[np.float32]
    """specular colour of the headlight, shape (3)"""

class ModelVisGlobal(Record):
    cameraid: int
    """initial camera; -1: free"""
    fovy: float
    """vertical field of view of the free camera [deg]"""
    orthographic: int
    """orthographic projection of the free camera"""
    ipd: float
    """interpupillary distance of the free camera [m]"""
    azimuth: float
    """initial azimuth of the free camera [deg]"""
    elevation: float
    """initial elevation of the free camera [deg]"""
    linewidth: float
    """width of wireframe lines"""
    ellipsoidinertia: int
    """draw inertias as ellipsoids instead of boxes"""
    realtime: float
    """initial speed; 1: real time"""
    offwidth: int
    """width of offscreen images [px]"""
    offheight: int
    """height of offscreen images [px]"""
    glow: float
    """glow of the selected body"""
    bvactive: int
    """highlight active bounding volumes"""

class ModelStat(Record):
    meaninertia: float
    """mean diagonal entry of the inertia matrix"""
    meanmass: float
    """mean mass of the moving bodies [kg]"""
    extent: float
    """radius of the model [m]"""
    meansize: float
    """mean size of the bodies [m]"""
    center: Array[np.float64]
    """centre of the model [m], shape (3)"""

class ModelVisQuality(Record):
    shadowsize: int
    """side length of the shadow map [px]"""
    offsamples: int
    """multisamples of offscreen images"""
    numslices: int
    """slices around round geoms"""
    numstacks: int
    """stacks along round geoms"""
    numquads: int
    """subdivisions of box faces"""

class ModelVisMap(Record):
    stiffness: float
    """stiffness of a mouse perturbation in translation"""
    stiffnessrot: float
    """stiffness of a mouse perturbation in rotation"""
    force: float
    """length of a force arrow per newton [m/N]"""
    torque: float
    """length of a torque arrow per newton metre [1/N]"""
    alpha: float
    """opacity of transparent bodies"""
    fogstart: float
    """distance at which fog starts, in extents"""
    fogend: float
    """distance at which fog is complete, in extents"""
    znear: float
    """near clipping plane, in extents"""
    zfar: float
    """far clipping plane, in extents"""
    haze: float
    """fraction of the horizon covered by haze"""
    shadowclip: float
    """reach of directional shadows, in extents"""
    shadowscale: float
    """cone of spot shadows, as a fraction of the cutoff"""
    actuatortendon: float
    """width of actuator tendons, relative to the tendon"""

class ModelVisScale(Record):
    forcewidth: float
    """width of force arrows"""
    contactwidth: float
    """width of contact markers"""
    contactheight: float
    """height of contact markers"""
    connect: float
    """width of lines between bodies and joints"""
    com: float
    """radius of centre-of-mass markers"""
    camera: float
    """size of camera markers"""
    light: float
    """size of light markers"""
    selectpoint: float
    """size of the selection point"""
    jointlength: float
    """length of joint axes"""
    jointwidth: float
    """width of joint axes"""
    actuatorlength: float
    """length of actuator markers"""
    actuatorwidth: float
    """width of actuator markers"""
    framelength: float
    """length of frame axes"""
    framewidth: float
    """width of frame axes"""
    constraint: float
    """width of constraint lines"""
    slidercrank: float
    """width of slider-cranks"""
    frustum: float
    """distance of the far plane of drawn frustums"""

class ModelVisRgba(Record):
    fog: Array[np.float32]
    """fog, shape (4)"""
    haze: Array[np.float32]
    """haze, shape (4)"""
    force: Array[np.float32]
    """external force, shape (4)"""
    inertia: Array[np.float32]
    """inertia, shape (4)"""
    joint: Array[np.float32]
    """joint, shape (4)"""
    actuator: Array[np.float32]
    """actuator, neutral, shape (4)"""
    actuatornegative: Array[np.float32]
    """actuator at its negative limit, shape (4)"""
    actuatorpositive: Array[np.float32]
    """actuator at its positive limit, shape (4)"""
    com: Array[np.float32]
    """centre of mass, shape (4)"""
    camera: Array[np.float32]
    """camera, shape (4)"""
    light: Array[np.float32]
    """light, shape (4)"""
    selectpoint: Array[np.float32]
    """selection point, shape (4)"""
    connect: Array[np.float32]
    """line between body and joint, shape (4)"""
    contactpoint: Array[np.float32]
    """contact point, shape (4)"""
    contactforce: Array[np.float32]
    """contact force, shape (4)"""
    contactfriction: Array[np.float32]
    """friction force, shape (4)"""
    contacttorque: Array[np.float32]
    """contact torque, shape (4)"""
    contactgap: Array[np.float32]
    """contact in its gap, shape (4)"""
    rangefinder: Array[np.float32]
    """rangefinder ray, shape (4)"""
    constraint: Array[np.float32]
    """constraint, shape (4)"""
    slidercrank: Array[np.float32]
    """slider-crank, shape (4)"""
    crankbroken: Array[np.float32]
    """slider-crank whose rod is too short, shape (4)"""
    frustum: Array[np.float32]
    """camera frustum, shape (4)"""
    bv: Array[np.float32]
    """bounding volume, shape (4)"""
    bvactive: Array[np.float32]
    """active bounding volume, shape (4)"""

class ModelBody(ElementView):
    """One body of Model."""

    ipos: Array[np.float64]
    """centre of mass in the body frame [m], shape (3)"""
    mass: Array[np.float64]
    """mass [kg], shape (1)"""
    inertia: Array[np.float64]
    """principal moments of inertia [kg·m²], shape (3)"""
    iquat: Array[np.float64]
    """orientation of the principal axes in the body frame, shape (4)"""
    pos: Array[np.float64]
    """position in the parent frame [m], shape (3)"""
    quat: Array[np.float64]
    """orientation in the parent frame, shape (4)"""
    gravcomp: Array[np.float64]
    """compensated fraction of the weight, shape (1)"""
    user: Array[np.float64]
    """user data, shape (nuser_body)"""
    parentid: Array[np.int32]
    """parent body; the world is its own parent, shape (1)"""
    rootid: Array[np.int32]
    """ancestor that is a child of the world, shape (1)"""
    weldid: Array[np.int32]
    """nearest ancestor with joints, or the body itself; fixed relative to it, shape (1)"""
    mocapid: Array[np.int32]
    """mocap index, or -1, shape (1)"""
    jntnum: Array[np.int32]
    """number of joints, shape (1)"""
    jntadr: Array[np.int32]
    """first joint, or -1, shape (1)"""
    dofnum: Array[np.int32]
    """number of dofs, shape (1)"""
    dofadr: Array[np.int32]
    """first dof, or -1, shape (1)"""
    treeid: Array[np.int32]
    """kinematic tree, or -1, shape (1)"""
    geomnum: Array[np.int32]
    """number of geoms, shape (1)"""
    geomadr: Array[np.int32]
    """first geom, or -1, shape (1)"""
    simple: Array[np.uint8]
    """1: inertia diagonal and constant; 2: and only slide joints; 0: neither, shape (1)"""
    sameframe: Array[np.uint8]
    """relation of the inertial frame to the body frame, shape (1)"""
    subtreemass: Array[np.float64]
    """mass of the subtree that starts at the body [kg], shape (1)"""
    margin: Array[np.float64]
    """largest margin + gap of its geoms [m], shape (1)"""
    contype: Array[np.int32]
    """bitwise OR of the contype of its geoms, shape (1)"""
    conaffinity: Array[np.int32]
    """bitwise OR of the conaffinity of its geoms, shape (1)"""
    bvhadr: Array[np.int32]
    """first bounding volume, or -1, shape (1)"""
    bvhnum: Array[np.int32]
    """number of bounding volumes, shape (1)"""
    plugin: Array[np.int32]
    """plugins are not supported: always -1, shape (1)"""
    invweight0: Array[np.float64]
    """mean inverse inertia at qpos0: translational, rotational, shape (2)"""
    B_rownnz: Array[np.int32]
    """body-dof matrix: nonzeros in a row, shape (1)"""
    B_rowadr: Array[np.int32]
    """body-dof matrix: first entry of a row, shape (1)"""

class ModelJoint(ElementView):
    """One joint of Model."""

    group: Array[np.int32]
    """visualization group, shape (1)"""
    type: Array[np.int32]
    """free, ball, slide or hinge, shape (1)"""
    pos: Array[np.float64]
    """anchor in the body frame [m], shape (3)"""
    axis: Array[np.float64]
    """axis in the body frame, shape (3)"""
    springyield: Array[np.float64]
    """displacement from rest at which its spring yields; never if 0 at load time [q], shape (1)"""
    actfrclimited: Array[np.bool_]
    """total actuator force is limited, shape (1)"""
    stiffness: Array[np.float64]
    """spring stiffness [F/q], shape (1)"""
    limited: Array[np.bool_]
    """range is enforced, shape (1)"""
    range: Array[np.float64]
    """lower and upper limit [q], shape (2)"""
    actfrcrange: Array[np.float64]
    """lower and upper limit of the total actuator force [F], shape (2)"""
    actgravcomp: Array[np.bool_]
    """gravity compensation is added to the actuator force, shape (1)"""
    margin: Array[np.float64]
    """distance from the limit at which it becomes active [q], shape (1)"""
    solref: Array[np.float64]
    """reference spring-damper of its limit, shape (2)"""
    solimp: Array[np.float64]
    """impedance of its limit, shape (5)"""
    user: Array[np.float64]
    """user data, shape (nuser_jnt)"""
    qposadr: Array[np.int32]
    """first coordinate, shape (1)"""
    dofadr: Array[np.int32]
    """first dof, shape (1)"""
    jnt_bodyid: Array[np.int32]
    """body of the joint, shape (1)"""
    stiffnesspoly: Array[np.float64]
    """coefficients of x² and x³ in the spring force, shape (2)"""
    plasticadr: Array[np.int32]
    """address of its coordinates in plastic, or -1, shape (1)"""
    actuatorid: Array[np.int32]
    """actuator that adds damping or armature; -1: none, -2: several, shape (1)"""
    damping: Array[np.float64]
    """damping coefficient: resisting force per unit velocity [F·s/q], shape (...)"""
    armature: Array[np.float64]
    """rotor inertia: added to the diagonal of the inertia matrix [F·s²/q], shape (...)"""
    frictionloss: Array[np.float64]
    """largest dry friction force [F], shape (...)"""
    dof_solref: Array[np.float64]
    """reference spring-damper of its dry friction, shape (..., 2)"""
    dof_solimp: Array[np.float64]
    """impedance of its dry friction, shape (..., 5)"""
    bodyid: Array[np.int32]
    """body of the dof, shape (...)"""
    jntid: Array[np.int32]
    """joint of the dof, shape (...)"""
    parentid: Array[np.int32]
    """parent dof in the tree, or -1, shape (...)"""
    treeid: Array[np.int32]
    """kinematic tree, shape (...)"""
    Madr: Array[np.int32]
    """address of the diagonal in the inertia matrix with simple dofs expanded, shape (...)"""
    simplenum: Array[np.int32]
    """number of consecutive simple dofs from this one on, shape (...)"""
    dampingpoly: Array[np.float64]
    """coefficients of v|v| and v³ in the damping force, shape (..., 2)"""
    invweight0: Array[np.float64]
    """mean diagonal entry of the inverse inertia matrix at qpos0, shape (...)"""
    M0: Array[np.float64]
    """diagonal entry of the inertia matrix at qpos0, shape (...)"""
    length: Array[np.float64]
    """distance moved per unit of the dof, to convert its velocity to m/s [m], shape (...)"""
    qpos_spring: Array[np.float64]
    """generalized coordinates at which joint springs are at rest [q], shape (...)"""
    qpos0: Array[np.float64]
    """generalized coordinates of the reference configuration [q], shape (...)"""
    M_rownnz: Array[np.int32]
    """inertia matrix, lower triangle: nonzeros in a row, shape (...)"""
    M_rowadr: Array[np.int32]
    """inertia matrix: first entry of a row, shape (...)"""
    D_rownnz: Array[np.int32]
    """dof-dof matrix: nonzeros in a row, shape (...)"""
    D_rowadr: Array[np.int32]
    """dof-dof matrix: first entry of a row, shape (...)"""
    D_diag: Array[np.int32]
    """dof-dof matrix: index of the diagonal in its row, shape (...)"""

class ModelGeom(ElementView):
    """One geom of Model."""

    type: Array[np.int32]
    """geom type, shape (1)"""
    friction: Array[np.float64]
    """friction coefficients: sliding, torsional, rolling, shape (3)"""
    condim: Array[np.int32]
    """contact dimension: 1, 3, 4 or 6, shape (1)"""
    contype: Array[np.int32]
    """collision bits: what the geom is, shape (1)"""
    group: Array[np.int32]
    """visualization group, shape (1)"""
    conaffinity: Array[np.int32]
    """collision bits: what it collides with, shape (1)"""
    size: Array[np.float64]
    """size parameters of its type [m], shape (3)"""
    matid: Array[np.int32]
    """material, or -1, shape (1)"""
    solref: Array[np.float64]
    """reference spring-damper of its contacts, shape (2)"""
    solimp: Array[np.float64]
    """impedance of its contacts, shape (5)"""
    solmix: Array[np.float64]
    """weight for mixing contact parameters, shape (1)"""
    priority: Array[np.int32]
    """priority: the geom with the higher priority sets the contact parameters, shape (1)"""
    margin: Array[np.float64]
    """distance below which contacts are active [m], shape (1)"""
    gap: Array[np.float64]
    """additional distance within which inactive contacts are reported [m], shape (1)"""
    surfacevel: Array[np.float64]
    """velocity of its surface, shape (6)"""
    adhesion: Array[np.float64]
    """adhesion force of its contacts [N], shape (1)"""
    pos: Array[np.float64]
    """position in the body frame [m], shape (3)"""
    quat: Array[np.float64]
    """orientation in the body frame, shape (4)"""
    rgba: Array[np.float32]
    """colour, shape (4)"""
    castshadow: Array[np.bool_]
    """casts shadows, shape (1)"""
    user: Array[np.float64]
    """user data, shape (nuser_geom)"""
    bodyid: Array[np.int32]
    """body of the geom, shape (1)"""
    dataid: Array[np.int32]
    """mesh or height field, or -1, shape (1)"""
    sameframe: Array[np.uint8]
    """relation of its frame to the body frame, shape (1)"""
    aabb: Array[np.float64]
    """bounding box in the geom frame: centre, half-sizes [m], shape (6)"""
    rbound: Array[np.float64]
    """radius of the bounding sphere; 0 for a plane [m], shape (1)"""
    fluid: Array[np.float64]
    """parameters of the ellipsoid fluid model, shape (12)"""
    plugin: Array[np.int32]
    """plugins are not supported: always -1, shape (1)"""

class ModelSite(ElementView):
    """One site of Model."""

    type: Array[np.int32]
    """shape, for rendering and touch sensors, shape (1)"""
    group: Array[np.int32]
    """visualization group, shape (1)"""
    pos: Array[np.float64]
    """position in the body frame [m], shape (3)"""
    quat: Array[np.float64]
    """orientation in the body frame, shape (4)"""
    matid: Array[np.int32]
    """material, or -1, shape (1)"""
    dataid: Array[np.int32]
    """mesh, or -1, shape (1)"""
    size: Array[np.float64]
    """size parameters of its type [m], shape (3)"""
    rgba: Array[np.float32]
    """colour, shape (4)"""
    user: Array[np.float64]
    """user data, shape (nuser_site)"""
    bodyid: Array[np.int32]
    """body of the site, shape (1)"""
    sameframe: Array[np.uint8]
    """relation of its frame to the body frame, shape (1)"""

class ModelCamera(ElementView):
    """One camera of Model."""

    projection: Array[np.int32]
    """perspective or orthographic, shape (1)"""
    fovy: Array[np.float64]
    """vertical field of view; height in m if orthographic [deg], shape (1)"""
    ipd: Array[np.float64]
    """interpupillary distance [m], shape (1)"""
    resolution: Array[np.int32]
    """resolution [px], shape (2)"""
    output: Array[np.int32]
    """bit flags of its outputs, shape (1)"""
    pos: Array[np.float64]
    """position in the body frame [m], shape (3)"""
    quat: Array[np.float64]
    """orientation in the body frame, shape (4)"""
    mode: Array[np.int32]
    """tracking mode: fixed, tracking or targeting, shape (1)"""
    targetbodyid: Array[np.int32]
    """target body, or -1, shape (1)"""
    sensorsize: Array[np.float32]
    """sensor size: width, height [m], shape (2)"""
    user: Array[np.float64]
    """user data, shape (nuser_cam)"""
    bodyid: Array[np.int32]
    """body of the camera, shape (1)"""
    poscom0: Array[np.float64]
    """position relative to the subtree's centre of mass at qpos0 [m], shape (3)"""
    pos0: Array[np.float64]
    """position relative to the body, in world axes, at qpos0 [m], shape (3)"""
    mat0: Array[np.float64]
    """orientation at qpos0, shape (9)"""
    intrinsic: Array[np.float32]
    """focal lengths and principal point [m], shape (4)"""

class ModelLight(ElementView):
    """One light of Model."""

    type: Array[np.int32]
    """spot, directional, point or image, shape (1)"""
    active: Array[np.bool_]
    """is on, shape (1)"""
    castshadow: Array[np.bool_]
    """casts shadows, shape (1)"""
    pos: Array[np.float64]
    """position in the body frame [m], shape (3)"""
    dir: Array[np.float64]
    """direction in the body frame, shape (3)"""
    bulbradius: Array[np.float32]
    """bulb radius, for soft shadows [m], shape (1)"""
    intensity: Array[np.float32]
    """intensity [cd], shape (1)"""
    range: Array[np.float32]
    """effective range [m], shape (1)"""
    attenuation: Array[np.float32]
    """attenuation: constant, linear, quadratic, shape (3)"""
    cutoff: Array[np.float32]
    """half-angle of a spotlight's cone [deg], shape (1)"""
    softness: Array[np.float32]
    """fraction of a spotlight's cone that fades out, shape (1)"""
    exponent: Array[np.float32]
    """falloff exponent of a spotlight, shape (1)"""
    ambient: Array[np.float32]
    """ambient colour, shape (3)"""
    diffuse: Array[np.float32]
    """diffuse colour, shape (3)"""
    specular: Array[np.float32]
    """specular colour, shape (3)"""
    mode: Array[np.int32]
    """tracking mode: fixed, tracking or targeting, shape (1)"""
    targetbodyid: Array[np.int32]
    """target body, or -1, shape (1)"""
    texid: Array[np.int32]
    """texture of an image light, or -1, shape (1)"""
    bodyid: Array[np.int32]
    """body of the light, shape (1)"""
    poscom0: Array[np.float64]
    """position relative to the subtree's centre of mass at qpos0 [m], shape (3)"""
    pos0: Array[np.float64]
    """position relative to the body, in world axes, at qpos0 [m], shape (3)"""
    dir0: Array[np.float64]
    """direction at qpos0, shape (3)"""

class ModelMesh(ElementView):
    """One mesh of Model."""

    scale: Array[np.float64]
    """scale given in the file, shape (3)"""
    vertadr: Array[np.int32]
    """first vertex, shape (1)"""
    vertnum: Array[np.int32]
    """number of vertices, shape (1)"""
    faceadr: Array[np.int32]
    """first triangle, shape (1)"""
    facenum: Array[np.int32]
    """number of triangles, shape (1)"""
    bvhadr: Array[np.int32]
    """first bounding volume, shape (1)"""
    bvhnum: Array[np.int32]
    """number of bounding volumes, shape (1)"""
    octadr: Array[np.int32]
    """signed distance fields are not supported: always -1, shape (1)"""
    octnum: Array[np.int32]
    """signed distance fields are not supported: always 0, shape (1)"""
    normaladr: Array[np.int32]
    """first normal, shape (1)"""
    normalnum: Array[np.int32]
    """number of normals, shape (1)"""
    texcoordadr: Array[np.int32]
    """first texture coordinate, or -1, shape (1)"""
    texcoordnum: Array[np.int32]
    """number of texture coordinates, shape (1)"""
    graphadr: Array[np.int32]
    """address of the hull graph, or -1, shape (1)"""
    extrema: Array[np.int32]
    """farthest vertex in each of 27 directions, shape (27)"""
    pos: Array[np.float64]
    """translation from the compiled frame to the file's frame [m], shape (3)"""
    quat: Array[np.float64]
    """rotation from the compiled frame to the file's frame, shape (4)"""
    pathadr: Array[np.int32]
    """address of the file name, or -1, shape (1)"""
    polynum: Array[np.int32]
    """number of hull polygons, shape (1)"""
    polyadr: Array[np.int32]
    """first hull polygon, shape (1)"""

class ModelSkin(ElementView):
    """One skin of Model."""

    matid: Array[np.int32]
    """material, or -1, shape (1)"""
    rgba: Array[np.float32]
    """colour, shape (4)"""
    inflate: Array[np.float32]
    """inflation along the vertex normals [m], shape (1)"""
    group: Array[np.int32]
    """visualization group, shape (1)"""
    vertadr: Array[np.int32]
    """first vertex, shape (1)"""
    vertnum: Array[np.int32]
    """number of vertices, shape (1)"""
    texcoordadr: Array[np.int32]
    """first texture coordinate, or -1, shape (1)"""
    faceadr: Array[np.int32]
    """first triangle, shape (1)"""
    facenum: Array[np.int32]
    """number of triangles, shape (1)"""
    boneadr: Array[np.int32]
    """first bone, shape (1)"""
    bonenum: Array[np.int32]
    """number of bones, shape (1)"""
    pathadr: Array[np.int32]
    """address of the file name, or -1, shape (1)"""

class ModelHfield(ElementView):
    """One hfield of Model."""

    nrow: Array[np.int32]
    """number of rows, shape (1)"""
    ncol: Array[np.int32]
    """number of columns, shape (1)"""
    size: Array[np.float64]
    """half-width, half-depth, maximum height, thickness of the base [m], shape (4)"""
    adr: Array[np.int32]
    """first point, shape (1)"""
    data: Array[np.float32]
    """normalized elevations, 0 to 1, shape (...)"""
    pathadr: Array[np.int32]
    """address of the file name, or -1, shape (1)"""

class ModelTexture(ElementView):
    """One texture of Model."""

    type: Array[np.int32]
    """2d, cube or skybox, shape (1)"""
    colorspace: Array[np.int32]
    """automatic, linear or sRGB, shape (1)"""
    width: Array[np.int32]
    """width [px], shape (1)"""
    height: Array[np.int32]
    """height [px], shape (1)"""
    nchannel: Array[np.int32]
    """number of channels, shape (1)"""
    adr: Array[np.int64]
    """first byte, shape (1)"""
    pathadr: Array[np.int32]
    """address of the file name, or -1, shape (1)"""
    contenttypeadr: Array[np.int32]
    """address of the content type, or -1, shape (1)"""
    data: Array[np.uint8]
    """pixels of all textures, shape (...)"""

class ModelMaterial(ElementView):
    """One material of Model."""

    texrepeat: Array[np.float32]
    """repetitions of the texture in x and y, shape (2)"""
    texuniform: Array[np.bool_]
    """texture repetitions are per metre, not per geom, shape (1)"""
    emission: Array[np.float32]
    """emission, shape (1)"""
    specular: Array[np.float32]
    """specular reflection, shape (1)"""
    shininess: Array[np.float32]
    """shininess: sharpness of highlights, shape (1)"""
    reflectance: Array[np.float32]
    """reflectance of mirror planes, shape (1)"""
    metallic: Array[np.float32]
    """metallicity, shape (1)"""
    roughness: Array[np.float32]
    """roughness, shape (1)"""
    rgba: Array[np.float32]
    """colour, shape (4)"""
    texid: Array[np.int32]
    """texture for each role, or -1, shape (10)"""

class ModelPair(ElementView):
    """One pair of Model."""

    dim: Array[np.int32]
    """contact dimension, shape (1)"""
    friction: Array[np.float64]
    """friction coefficients: two sliding, torsional, two rolling, shape (5)"""
    solref: Array[np.float64]
    """reference spring-damper of its contacts, shape (2)"""
    solreffriction: Array[np.float64]
    """reference spring-damper of their friction; 0 0: same as solref, shape (2)"""
    solimp: Array[np.float64]
    """impedance of its contacts, shape (5)"""
    margin: Array[np.float64]
    """distance below which contacts are active [m], shape (1)"""
    gap: Array[np.float64]
    """additional distance within which inactive contacts are reported [m], shape (1)"""
    adhesion: Array[np.float64]
    """adhesion force of its contacts [N], shape (1)"""
    geom1: Array[np.int32]
    """first geom, shape (1)"""
    geom2: Array[np.int32]
    """second geom, shape (1)"""
    signature: Array[np.int32]
    """ids of both bodies, one in each 16 bits, shape (1)"""

class ModelExclude(ElementView):
    """One exclude of Model."""

    signature: Array[np.int32]
    """ids of both bodies, one in each 16 bits, shape (1)"""

class ModelEquality(ElementView):
    """One equality of Model."""

    data: Array[np.float64]
    """parameters of its type, shape (12)"""
    active0: Array[np.bool_]
    """active; d.eq_active follows it at run time, shape (1)"""
    solref: Array[np.float64]
    """reference spring-damper of the constraint, shape (2)"""
    solimp: Array[np.float64]
    """impedance of the constraint, shape (5)"""
    type: Array[np.int32]
    """connect, weld, joint, tendon or distance, shape (1)"""
    obj1id: Array[np.int32]
    """first object, shape (1)"""
    obj2id: Array[np.int32]
    """second object, or -1, shape (1)"""
    objtype: Array[np.int32]
    """type of both objects, shape (1)"""

class ModelTendon(ElementView):
    """One tendon of Model."""

    group: Array[np.int32]
    """visualization group, shape (1)"""
    stiffness: Array[np.float64]
    """spring stiffness [N/m], shape (1)"""
    damping: Array[np.float64]
    """damping coefficient: resisting force per unit velocity [N·s/m], shape (1)"""
    frictionloss: Array[np.float64]
    """largest dry friction force [N], shape (1)"""
    lengthspring: Array[np.float64]
    """resting length range of the spring [m], shape (2)"""
    springyield: Array[np.float64]
    """displacement from rest at which its spring yields; never if 0 at load time [m], shape (1)"""
    limited: Array[np.bool_]
    """length range is enforced, shape (1)"""
    range: Array[np.float64]
    """lower and upper limit of its length [m], shape (2)"""
    margin: Array[np.float64]
    """distance from the limit at which it becomes active [m], shape (1)"""
    solref_lim: Array[np.float64]
    """reference spring-damper of its limit, shape (2)"""
    solimp_lim: Array[np.float64]
    """impedance of its limit, shape (5)"""
    solref_fri: Array[np.float64]
    """reference spring-damper of its dry friction, shape (2)"""
    solimp_fri: Array[np.float64]
    """impedance of its dry friction, shape (5)"""
    armature: Array[np.float64]
    """inertia associated with changes of its length [kg], shape (1)"""
    actfrclimited: Array[np.bool_]
    """total actuator force is limited, shape (1)"""
    actfrcrange: Array[np.float64]
    """lower and upper limit of the total actuator force [N], shape (2)"""
    user: Array[np.float64]
    """user data, shape (nuser_tendon)"""
    width: Array[np.float64]
    """width, for rendering [m], shape (1)"""
    matid: Array[np.int32]
    """material, or -1, shape (1)"""
    rgba: Array[np.float32]
    """colour, shape (4)"""
    type: Array[np.int32]
    """fixed or spatial, shape (1)"""
    adr: Array[np.int32]
    """first element of the path, shape (1)"""
    num: Array[np.int32]
    """number of path elements, shape (1)"""
    actuatorid: Array[np.int32]
    """actuator that adds damping or armature; -1: none, -2: several, shape (1)"""
    plasticadr: Array[np.int32]
    """address of its length range in plastic, or -1, shape (1)"""
    treenum: Array[np.int32]
    """number of trees along the path, shape (1)"""
    treeid: Array[np.int32]
    """first two of these trees, or -1, shape (2)"""
    stiffnesspoly: Array[np.float64]
    """coefficients of x² and x³ in the spring force, shape (2)"""
    dampingpoly: Array[np.float64]
    """coefficients of v|v| and v³ in the damping force, shape (2)"""
    length0: Array[np.float64]
    """length at qpos0 [m], shape (1)"""
    invweight0: Array[np.float64]
    """mean inverse inertia at qpos0 [1/kg], shape (1)"""
    J_rownnz: Array[np.int32]
    """tendon Jacobian: nonzeros in a row, shape (1)"""
    J_rowadr: Array[np.int32]
    """tendon Jacobian: first entry of a row, shape (1)"""
    J_colind: Array[np.int32]
    """tendon Jacobian: column indices, shape (...)"""

class ModelActuator(ElementView):
    """One actuator of Model."""

    actnum: Array[np.int32]
    """number of activation states, shape (1)"""
    dyntype: Array[np.int32]
    """activation dynamics type, shape (1)"""
    gaintype: Array[np.int32]
    """gain type, shape (1)"""
    biastype: Array[np.int32]
    """bias type, shape (1)"""
    gainprm: Array[np.float64]
    """parameters of the gain: force per unit of control or activation, shape (10)"""
    biasprm: Array[np.float64]
    """parameters of the bias: force without control, shape (10)"""
    dynprm: Array[np.float64]
    """parameters of the dynamics: from control to activation, shape (10)"""
    actearly: Array[np.bool_]
    """force is computed from the next activation, shape (1)"""
    gear: Array[np.float64]
    """gear: scales length and force of the transmission, shape (..., 6)"""
    damping: Array[np.float64]
    """damping added to the joint or tendon, shape (1)"""
    armature: Array[np.float64]
    """armature added to the joint or tendon, shape (1)"""
    cranklength: Array[np.float64]
    """length of the connecting rod of a slider-crank [m], shape (1)"""
    group: Array[np.int32]
    """group, for visualization and disabling, shape (1)"""
    delay: Array[np.float64]
    """delay of the control [s], shape (1)"""
    user: Array[np.float64]
    """user data, shape (nuser_actuator)"""
    ctrllimited: Array[np.bool_]
    """control is limited, shape (...)"""
    ctrlrange: Array[np.float64]
    """lower and upper limit of the control, shape (..., 2)"""
    forcelimited: Array[np.bool_]
    """force is limited, shape (1)"""
    forcerange: Array[np.float64]
    """lower and upper limit of the force [F], shape (2)"""
    actlimited: Array[np.bool_]
    """activation is limited, shape (1)"""
    actrange: Array[np.float64]
    """lower and upper limit of the activation, shape (2)"""
    lengthrange: Array[np.float64]
    """shortest and longest feasible length, shape (..., 2)"""
    trntype: Array[np.int32]
    """transmission type, shape (1)"""
    ctrladr: Array[np.int32]
    """first control, shape (1)"""
    ctrlnum: Array[np.int32]
    """number of controls, shape (1)"""
    ctrlspec: Array[np.int32]
    """meaning of its controls, shape (1)"""
    outadr: Array[np.int32]
    """first force output, shape (1)"""
    outnum: Array[np.int32]
    """number of force outputs, shape (1)"""
    actadr: Array[np.int32]
    """first activation state, or -1, shape (1)"""
    trnid: Array[np.int32]
    """transmission target: joint, tendon, site or body; second one, or -1, shape (2)"""
    history: Array[np.int32]
    """delay buffer: number of samples, interpolation, shape (2)"""
    historyadr: Array[np.int32]
    """address of the delay buffer, or -1, shape (1)"""
    dampingpoly: Array[np.float64]
    """coefficients of v|v| and v³ in the damping force, shape (2)"""
    plugin: Array[np.int32]
    """plugins are not supported: always -1, shape (1)"""
    acc0: Array[np.float64]
    """norm of the acceleration caused by a unit force at qpos0, shape (...)"""
    length0: Array[np.float64]
    """length at qpos0, shape (...)"""

class ModelSensor(ElementView):
    """One sensor of Model."""

    user: Array[np.float64]
    """user data, shape (nuser_sensor)"""
    delay: Array[np.float64]
    """delay of the reading [s], shape (1)"""
    interval: Array[np.float64]
    """sampling period and phase [s], shape (2)"""
    cutoff: Array[np.float64]
    """cutoff for real and positive data; 0: none, shape (1)"""
    noise: Array[np.float64]
    """noise standard deviation given in the file; no noise is added, shape (1)"""
    datatype: Array[np.int32]
    """data type: real, positive, axis or quaternion, shape (1)"""
    needstage: Array[np.int32]
    """compute stage: position, velocity or acceleration, shape (1)"""
    type: Array[np.int32]
    """sensor type, shape (1)"""
    objtype: Array[np.int32]
    """type of the sensorized object, shape (1)"""
    objid: Array[np.int32]
    """id of the sensorized object, shape (1)"""
    reftype: Array[np.int32]
    """type of the reference frame, shape (1)"""
    refid: Array[np.int32]
    """id of the reference frame, or -1, shape (1)"""
    intprm: Array[np.int32]
    """integer parameters of its type, shape (3)"""
    dim: Array[np.int32]
    """number of outputs, shape (1)"""
    adr: Array[np.int32]
    """address in sensordata, shape (1)"""
    history: Array[np.int32]
    """delay buffer: number of samples, interpolation, shape (2)"""
    historyadr: Array[np.int32]
    """address of the delay buffer, or -1, shape (1)"""
    plugin: Array[np.int32]
    """plugins are not supported: always -1, shape (1)"""

class ModelNumeric(ElementView):
    """One numeric of Model."""

    adr: Array[np.int32]
    """first number, shape (1)"""
    size: Array[np.int32]
    """number of numbers, shape (1)"""
    data: Array[np.float64]
    """numbers of all custom numeric fields, shape (...)"""

class ModelText(ElementView):
    """One text of Model."""

    adr: Array[np.int32]
    """first byte, shape (1)"""
    size: Array[np.int32]
    """number of bytes, including the terminating zero, shape (1)"""
    data: Array[np.uint8]
    """bytes of all custom text fields, shape (...)"""

class ModelTuple(ElementView):
    """One tuple of Model."""

    adr: Array[np.int32]
    """first object, shape (1)"""
    size: Array[np.int32]
    """number of objects, shape (1)"""
    objtype: Array[np.int32]
    """type of each object, shape (...)"""
    objid: Array[np.int32]
    """id of each object, shape (...)"""
    objprm: Array[np.float64]
    """parameter of each object, shape (...)"""

class ModelKey(ElementView):
    """One key of Model."""

    time: Array[np.float64]
    """time [s], shape (1)"""
    qpos: Array[np.float64]
    """generalized coordinates [q], shape (nq)"""
    qvel: Array[np.float64]
    """velocities [q/s], shape (nv)"""
    act: Array[np.float64]
    """activations, shape (na)"""
    mpos: Array[np.float64]
    """mocap positions [m], shape (nmocap3)"""
    mquat: Array[np.float64]
    """mocap orientations, shape (nmocap4)"""
    ctrl: Array[np.float64]
    """controls, shape (nu)"""
    plastic: Array[np.float64]
    """rest of plastic springs, shape (nplastic)"""

class ModelFields:
    tex_type: Array[np.int32]
    """2d, cube or skybox, shape (ntex)"""
    tex_colorspace: Array[np.int32]
    """automatic, linear or sRGB, shape (ntex)"""
    tex_width: Array[np.int32]
    """width [px], shape (ntex)"""
    tex_height: Array[np.int32]
    """height [px], shape (ntex)"""
    tex_nchannel: Array[np.int32]
    """number of channels, shape (ntex)"""
    mat_texrepeat: Array[np.float32]
    """repetitions of the texture in x and y, shape (nmat, 2)"""
    mat_texuniform: Array[np.bool_]
    """texture repetitions are per metre, not per geom, shape (nmat)"""
    mat_emission: Array[np.float32]
    """emission, shape (nmat)"""
    mat_specular: Array[np.float32]
    """specular reflection, shape (nmat)"""
    mat_shininess: Array[np.float32]
    """shininess: sharpness of highlights, shape (nmat)"""
    mat_reflectance: Array[np.float32]
    """reflectance of mirror planes, shape (nmat)"""
    mat_metallic: Array[np.float32]
    """metallicity, shape (nmat)"""
    mat_roughness: Array[np.float32]
    """roughness, shape (nmat)"""
    mat_rgba: Array[np.float32]
    """colour, shape (nmat, 4)"""
    mesh_scale: Array[np.float64]
    """scale given in the file, shape (nmesh, 3)"""
    hfield_nrow: Array[np.int32]
    """number of rows, shape (nhfield)"""
    hfield_ncol: Array[np.int32]
    """number of columns, shape (nhfield)"""
    hfield_size: Array[np.float64]
    """half-width, half-depth, maximum height, thickness of the base [m], shape (nhfield, 4)"""
    skin_matid: Array[np.int32]
    """material, or -1, shape (nskin)"""
    skin_rgba: Array[np.float32]
    """colour, shape (nskin, 4)"""
    skin_inflate: Array[np.float32]
    """inflation along the vertex normals [m], shape (nskin)"""
    skin_group: Array[np.int32]
    """visualization group, shape (nskin)"""
    body_ipos: Array[np.float64]
    """centre of mass in the body frame [m], shape (nbody, 3)"""
    body_mass: Array[np.float64]
    """mass [kg], shape (nbody)"""
    body_inertia: Array[np.float64]
    """principal moments of inertia [kg·m²], shape (nbody, 3)"""
    body_iquat: Array[np.float64]
    """orientation of the principal axes in the body frame, shape (nbody, 4)"""
    body_pos: Array[np.float64]
    """position in the parent frame [m], shape (nbody, 3)"""
    body_quat: Array[np.float64]
    """orientation in the parent frame, shape (nbody, 4)"""
    body_gravcomp: Array[np.float64]
    """compensated fraction of the weight, shape (nbody)"""
    tree_sleep_policy: Array[np.int32]
    """sleep policy, shape (ntree)"""
    body_user: Array[np.float64]
    """user data, shape (nbody, nuser_body)"""
    jnt_group: Array[np.int32]
    """visualization group, shape (njnt)"""
    jnt_type: Array[np.int32]
    """free, ball, slide or hinge, shape (njnt)"""
    jnt_pos: Array[np.float64]
    """anchor in the body frame [m], shape (njnt, 3)"""
    jnt_axis: Array[np.float64]
    """axis in the body frame, shape (njnt, 3)"""
    jnt_springyield: Array[np.float64]
    """displacement from rest at which its spring yields; never if 0 at load time [q], shape (njnt)"""
    dof_damping: Array[np.float64]
    """damping coefficient: resisting force per unit velocity [F·s/q], shape (nv)"""
    jnt_actfrclimited: Array[np.bool_]
    """total actuator force is limited, shape (njnt)"""
    jnt_stiffness: Array[np.float64]
    """spring stiffness [F/q], shape (njnt)"""
    qpos_spring: Array[np.float64]
    """generalized coordinates at which joint springs are at rest [q], shape (nq)"""
    dof_armature: Array[np.float64]
    """rotor inertia: added to the diagonal of the inertia matrix [F·s²/q], shape (nv)"""
    dof_frictionloss: Array[np.float64]
    """largest dry friction force [F], shape (nv)"""
    jnt_limited: Array[np.bool_]
    """range is enforced, shape (njnt)"""
    jnt_range: Array[np.float64]
    """lower and upper limit [q], shape (njnt, 2)"""
    jnt_actfrcrange: Array[np.float64]
    """lower and upper limit of the total actuator force [F], shape (njnt, 2)"""
    jnt_actgravcomp: Array[np.bool_]
    """gravity compensation is added to the actuator force, shape (njnt)"""
    jnt_margin: Array[np.float64]
    """distance from the limit at which it becomes active [q], shape (njnt)"""
    qpos0: Array[np.float64]
    """generalized coordinates of the reference configuration [q], shape (nq)"""
    jnt_solref: Array[np.float64]
    """reference spring-damper of its limit, shape (njnt, 2)"""
    jnt_solimp: Array[np.float64]
    """impedance of its limit, shape (njnt, 5)"""
    dof_solref: Array[np.float64]
    """reference spring-damper of its dry friction, shape (nv, 2)"""
    dof_solimp: Array[np.float64]
    """impedance of its dry friction, shape (nv, 5)"""
    jnt_user: Array[np.float64]
    """user data, shape (njnt, nuser_jnt)"""
    geom_type: Array[np.int32]
    """geom type, shape (ngeom)"""
    geom_friction: Array[np.float64]
    """friction coefficients: sliding, torsional, rolling, shape (ngeom, 3)"""
    geom_condim: Array[np.int32]
    """contact dimension: 1, 3, 4 or 6, shape (ngeom)"""
    geom_contype: Array[np.int32]
    """collision bits: what the geom is, shape (ngeom)"""
    geom_group: Array[np.int32]
    """visualization group, shape (ngeom)"""
    geom_conaffinity: Array[np.int32]
    """collision bits: what it collides with, shape (ngeom)"""
    geom_size: Array[np.float64]
    """size parameters of its type [m], shape (ngeom, 3)"""
    geom_matid: Array[np.int32]
    """material, or -1, shape (ngeom)"""
    geom_solref: Array[np.float64]
    """reference spring-damper of its contacts, shape (ngeom, 2)"""
    geom_solimp: Array[np.float64]
    """impedance of its contacts, shape (ngeom, 5)"""
    geom_solmix: Array[np.float64]
    """weight for mixing contact parameters, shape (ngeom)"""
    geom_priority: Array[np.int32]
    """priority: the geom with the higher priority sets the contact parameters, shape (ngeom)"""
    geom_margin: Array[np.float64]
    """distance below which contacts are active [m], shape (ngeom)"""
    geom_gap: Array[np.float64]
    """additional distance within which inactive contacts are reported [m], shape (ngeom)"""
    geom_surfacevel: Array[np.float64]
    """velocity of its surface, shape (ngeom, 6)"""
    geom_adhesion: Array[np.float64]
    """adhesion force of its contacts [N], shape (ngeom)"""
    geom_pos: Array[np.float64]
    """position in the body frame [m], shape (ngeom, 3)"""
    geom_quat: Array[np.float64]
    """orientation in the body frame, shape (ngeom, 4)"""
    geom_rgba: Array[np.float32]
    """colour, shape (ngeom, 4)"""
    geom_castshadow: Array[np.bool_]
    """casts shadows, shape (ngeom)"""
    geom_user: Array[np.float64]
    """user data, shape (ngeom, nuser_geom)"""
    site_type: Array[np.int32]
    """shape, for rendering and touch sensors, shape (nsite)"""
    site_group: Array[np.int32]
    """visualization group, shape (nsite)"""
    site_pos: Array[np.float64]
    """position in the body frame [m], shape (nsite, 3)"""
    site_quat: Array[np.float64]
    """orientation in the body frame, shape (nsite, 4)"""
    site_matid: Array[np.int32]
    """material, or -1, shape (nsite)"""
    site_dataid: Array[np.int32]
    """mesh, or -1, shape (nsite)"""
    site_size: Array[np.float64]
    """size parameters of its type [m], shape (nsite, 3)"""
    site_rgba: Array[np.float32]
    """colour, shape (nsite, 4)"""
    site_user: Array[np.float64]
    """user data, shape (nsite, nuser_site)"""
    cam_projection: Array[np.int32]
    """perspective or orthographic, shape (ncam)"""
    cam_fovy: Array[np.float64]
    """vertical field of view; height in m if orthographic [deg], shape (ncam)"""
    cam_ipd: Array[np.float64]
    """interpupillary distance [m], shape (ncam)"""
    cam_resolution: Array[np.int32]
    """resolution [px], shape (ncam, 2)"""
    cam_output: Array[np.int32]
    """bit flags of its outputs, shape (ncam)"""
    cam_pos: Array[np.float64]
    """position in the body frame [m], shape (ncam, 3)"""
    cam_quat: Array[np.float64]
    """orientation in the body frame, shape (ncam, 4)"""
    cam_mode: Array[np.int32]
    """tracking mode: fixed, tracking or targeting, shape (ncam)"""
    cam_targetbodyid: Array[np.int32]
    """target body, or -1, shape (ncam)"""
    cam_sensorsize: Array[np.float32]
    """sensor size: width, height [m], shape (ncam, 2)"""
    cam_user: Array[np.float64]
    """user data, shape (ncam, nuser_cam)"""
    light_type: Array[np.int32]
    """spot, directional, point or image, shape (nlight)"""
    light_active: Array[np.bool_]
    """is on, shape (nlight)"""
    light_castshadow: Array[np.bool_]
    """casts shadows, shape (nlight)"""
    light_pos: Array[np.float64]
    """position in the body frame [m], shape (nlight, 3)"""
    light_dir: Array[np.float64]
    """direction in the body frame, shape (nlight, 3)"""
    light_bulbradius: Array[np.float32]
    """bulb radius, for soft shadows [m], shape (nlight)"""
    light_intensity: Array[np.float32]
    """intensity [cd], shape (nlight)"""
    light_range: Array[np.float32]
    """effective range [m], shape (nlight)"""
    light_attenuation: Array[np.float32]
    """attenuation: constant, linear, quadratic, shape (nlight, 3)"""
    light_cutoff: Array[np.float32]
    """half-angle of a spotlight's cone [deg], shape (nlight)"""
    light_softness: Array[np.float32]
    """fraction of a spotlight's cone that fades out, shape (nlight)"""
    light_exponent: Array[np.float32]
    """falloff exponent of a spotlight, shape (nlight)"""
    light_ambient: Array[np.float32]
    """ambient colour, shape (nlight, 3)"""
    light_diffuse: Array[np.float32]
    """diffuse colour, shape (nlight, 3)"""
    light_specular: Array[np.float32]
    """specular colour, shape (nlight, 3)"""
    light_mode: Array[np.int32]
    """tracking mode: fixed, tracking or targeting, shape (nlight)"""
    light_targetbodyid: Array[np.int32]
    """target body, or -1, shape (nlight)"""
    light_texid: Array[np.int32]
    """texture of an image light, or -1, shape (nlight)"""
    pair_dim: Array[np.int32]
    """contact dimension, shape (npair)"""
    pair_friction: Array[np.float64]
    """friction coefficients: two sliding, torsional, two rolling, shape (npair, 5)"""
    pair_solref: Array[np.float64]
    """reference spring-damper of its contacts, shape (npair, 2)"""
    pair_solreffriction: Array[np.float64]
    """reference spring-damper of their friction; 0 0: same as solref, shape (npair, 2)"""
    pair_solimp: Array[np.float64]
    """impedance of its contacts, shape (npair, 5)"""
    pair_margin: Array[np.float64]
    """distance below which contacts are active [m], shape (npair)"""
    pair_gap: Array[np.float64]
    """additional distance within which inactive contacts are reported [m], shape (npair)"""
    pair_adhesion: Array[np.float64]
    """adhesion force of its contacts [N], shape (npair)"""
    eq_data: Array[np.float64]
    """parameters of its type, shape (neq, 12)"""
    eq_active0: Array[np.bool_]
    """active; d.eq_active follows it at run time, shape (neq)"""
    eq_solref: Array[np.float64]
    """reference spring-damper of the constraint, shape (neq, 2)"""
    eq_solimp: Array[np.float64]
    """impedance of the constraint, shape (neq, 5)"""
    tendon_group: Array[np.int32]
    """visualization group, shape (ntendon)"""
    tendon_stiffness: Array[np.float64]
    """spring stiffness [N/m], shape (ntendon)"""
    tendon_damping: Array[np.float64]
    """damping coefficient: resisting force per unit velocity [N·s/m], shape (ntendon)"""
    tendon_frictionloss: Array[np.float64]
    """largest dry friction force [N], shape (ntendon)"""
    tendon_lengthspring: Array[np.float64]
    """resting length range of the spring [m], shape (ntendon, 2)"""
    tendon_springyield: Array[np.float64]
    """displacement from rest at which its spring yields; never if 0 at load time [m], shape (ntendon)"""
    tendon_limited: Array[np.bool_]
    """length range is enforced, shape (ntendon)"""
    tendon_range: Array[np.float64]
    """lower and upper limit of its length [m], shape (ntendon, 2)"""
    tendon_margin: Array[np.float64]
    """distance from the limit at which it becomes active [m], shape (ntendon)"""
    tendon_solref_lim: Array[np.float64]
    """reference spring-damper of its limit, shape (ntendon, 2)"""
    tendon_solimp_lim: Array[np.float64]
    """impedance of its limit, shape (ntendon, 5)"""
    tendon_solref_fri: Array[np.float64]
    """reference spring-damper of its dry friction, shape (ntendon, 2)"""
    tendon_solimp_fri: Array[np.float64]
    """impedance of its dry friction, shape (ntendon, 5)"""
    tendon_armature: Array[np.float64]
    """inertia associated with changes of its length [kg], shape (ntendon)"""
    tendon_actfrclimited: Array[np.bool_]
    """total actuator force is limited, shape (ntendon)"""
    tendon_actfrcrange: Array[np.float64]
    """lower and upper limit of the total actuator force [N], shape (ntendon, 2)"""
    tendon_user: Array[np.float64]
    """user data, shape (ntendon, nuser_tendon)"""
    tendon_width: Array[np.float64]
    """width, for rendering [m], shape (ntendon)"""
    tendon_matid: Array[np.int32]
    """material, or -1, shape (ntendon)"""
    tendon_rgba: Array[np.float32]
    """colour, shape (ntendon, 4)"""
    actuator_actnum: Array[np.int32]
    """number of activation states, shape (nactuator)"""
    actuator_dyntype: Array[np.int32]
    """activation dynamics type, shape (nactuator)"""
    actuator_gaintype: Array[np.int32]
    """gain type, shape (nactuator)"""
    actuator_biastype: Array[np.int32]
    """bias type, shape (nactuator)"""
    actuator_gainprm: Array[np.float64]
    """parameters of the gain: force per unit of control or activation, shape (nactuator, 10)"""
    actuator_biasprm: Array[np.float64]
    """parameters of the bias: force without control, shape (nactuator, 10)"""
    actuator_dynprm: Array[np.float64]
    """parameters of the dynamics: from control to activation, shape (nactuator, 10)"""
    actuator_actearly: Array[np.bool_]
    """force is computed from the next activation, shape (nactuator)"""
    actuator_gear: Array[np.float64]
    """gear: scales length and force of the transmission, shape (nout, 6)"""
    actuator_damping: Array[np.float64]
    """damping added to the joint or tendon, shape (nactuator)"""
    actuator_armature: Array[np.float64]
    """armature added to the joint or tendon, shape (nactuator)"""
    actuator_cranklength: Array[np.float64]
    """length of the connecting rod of a slider-crank [m], shape (nactuator)"""
    actuator_group: Array[np.int32]
    """group, for visualization and disabling, shape (nactuator)"""
    actuator_delay: Array[np.float64]
    """delay of the control [s], shape (nactuator)"""
    actuator_user: Array[np.float64]
    """user data, shape (nactuator, nuser_actuator)"""
    actuator_ctrllimited: Array[np.bool_]
    """control is limited, shape (nu)"""
    actuator_ctrlrange: Array[np.float64]
    """lower and upper limit of the control, shape (nu, 2)"""
    actuator_forcelimited: Array[np.bool_]
    """force is limited, shape (nactuator)"""
    actuator_forcerange: Array[np.float64]
    """lower and upper limit of the force [F], shape (nactuator, 2)"""
    actuator_actlimited: Array[np.bool_]
    """activation is limited, shape (nactuator)"""
    actuator_actrange: Array[np.float64]
    """lower and upper limit of the activation, shape (nactuator, 2)"""
    actuator_lengthrange: Array[np.float64]
    """shortest and longest feasible length, shape (nout, 2)"""
    sensor_user: Array[np.float64]
    """user data, shape (nsensor, nuser_sensor)"""
    sensor_delay: Array[np.float64]
    """delay of the reading [s], shape (nsensor)"""
    sensor_interval: Array[np.float64]
    """sampling period and phase [s], shape (nsensor, 2)"""
    sensor_cutoff: Array[np.float64]
    """cutoff for real and positive data; 0: none, shape (nsensor)"""
    sensor_noise: Array[np.float64]
    """noise standard deviation given in the file; no noise is added, shape (nsensor)"""
    sensor_datatype: Array[np.int32]
    """data type: real, positive, axis or quaternion, shape (nsensor)"""
    sensor_needstage: Array[np.int32]
    """compute stage: position, velocity or acceleration, shape (nsensor)"""
    key_time: Array[np.float64]
    """time [s], shape (nkey)"""
    key_qpos: Array[np.float64]
    """generalized coordinates [q], shape (nkey, nq)"""
    key_qvel: Array[np.float64]
    """velocities [q/s], shape (nkey, nv)"""
    key_act: Array[np.float64]
    """activations, shape (nkey, na)"""
    key_mpos: Array[np.float64]
    """mocap positions [m], shape (nkey, nmocap3)"""
    key_mquat: Array[np.float64]
    """mocap orientations, shape (nkey, nmocap4)"""
    key_ctrl: Array[np.float64]
    """controls, shape (nkey, nu)"""
    key_plastic: Array[np.float64]
    """rest of plastic springs, shape (nkey, nplastic)"""
    nq: int
    """generalized coordinates, length of qpos"""
    nv: int
    """degrees of freedom, length of qvel"""
    nu: int
    """controls, length of ctrl"""
    nactuator: int
    """actuators"""
    nout: int
    """force outputs of all actuators"""
    na: int
    """activation states, length of act"""
    nbody: int
    """bodies, including the world"""
    njnt: int
    """joints"""
    ntree: int
    """kinematic trees: subtrees of moving bodies rooted in the world"""
    ngeom: int
    """geoms"""
    nsite: int
    """sites"""
    ncam: int
    """cameras"""
    nlight: int
    """lights"""
    nmesh: int
    """meshes"""
    nmeshvert: int
    """vertices of all meshes"""
    nmeshnormal: int
    """normals of all meshes"""
    nmeshtexcoord: int
    """texture coordinates of all meshes"""
    nmeshface: int
    """triangles of all meshes"""
    nmeshgraph: int
    """integers in all hull graphs"""
    nmeshpoly: int
    """hull polygons of all meshes"""
    nmeshpolyvert: int
    """corners of all hull polygons"""
    nmeshpolymap: int
    """polygon indices of all hull vertices"""
    npolygonmax: int
    """largest number of corners of a hull polygon"""
    nmeshdegmax: int
    """largest number of edges at a hull vertex"""
    nskin: int
    """skins"""
    nskinvert: int
    """vertices of all skins"""
    nskintexvert: int
    """texture coordinates of all skins"""
    nskinface: int
    """triangles of all skins"""
    nskinbone: int
    """bones of all skins"""
    nskinbonevert: int
    """vertices influenced by all bones"""
    nhfield: int
    """height fields"""
    nhfielddata: int
    """points of all height fields"""
    nbvh: int
    """bounding volumes"""
    nbvhstatic: int
    """bounding volumes fixed in a body or mesh"""
    nbvhdynamic: int
    """bounding volumes that change at run time"""
    ntex: int
    """textures"""
    ntexdata: int
    """bytes of all textures"""
    nmat: int
    """materials"""
    npair: int
    """explicit contact pairs"""
    nexclude: int
    """excluded body pairs"""
    neq: int
    """equality constraints"""
    ntendon: int
    """tendons"""
    nwrap: int
    """elements of all tendon paths"""
    nsensor: int
    """sensors"""
    nsensordata: int
    """length of sensordata"""
    nhistory: int
    """numbers in all delay buffers"""
    nplastic: int
    """numbers of the rest of plastic springs, length of plastic"""
    nnumeric: int
    """custom numeric fields"""
    nnumericdata: int
    """numbers in all custom numeric fields"""
    ntext: int
    """custom text fields"""
    ntextdata: int
    """bytes in all custom text fields"""
    ntuple: int
    """custom tuple fields"""
    ntupledata: int
    """objects in all custom tuple fields"""
    nkey: int
    """keyframes"""
    nmocap: int
    """mocap bodies"""
    nuserdata: int
    """user-defined numbers in Data, length of userdata"""
    nM: int
    """nonzeros of the inertia matrix, with simple dofs expanded"""
    nC: int
    """nonzeros of the inertia matrix as stored in M"""
    nB: int
    """nonzeros of the body-dof matrix"""
    nD: int
    """nonzeros of the dof-dof matrix"""
    nJten: int
    """nonzeros of the tendon Jacobian"""
    nJmom: int
    """nonzeros of the actuator moment matrix"""
    ngravcomp: int
    """bodies with gravity compensation"""
    nemax: int
    """largest number of equality rows"""
    njmax: int
    """constraint rows reserved in the file; ignored: rows grow on demand"""
    nconmax: int
    """contacts reserved in the file; ignored: contacts grow on demand"""
    nuser_body: int
    """columns of body_user"""
    nuser_jnt: int
    """columns of jnt_user"""
    nuser_geom: int
    """columns of geom_user"""
    nuser_site: int
    """columns of site_user"""
    nuser_cam: int
    """columns of cam_user"""
    nuser_tendon: int
    """columns of tendon_user"""
    nuser_actuator: int
    """columns of actuator_user"""
    nuser_sensor: int
    """columns of sensor_user"""
    flg_gravcomp: bool
    """at least one body has gravity compensation"""
    flg_surfacevel: bool
    """at least one geom has a surface velocity"""
    flg_adhesion: bool
    """at least one geom or pair has adhesion"""
    body_parentid: Array[np.int32]
    """parent body; the world is its own parent, shape (nbody)"""
    body_rootid: Array[np.int32]
    """ancestor that is a child of the world, shape (nbody)"""
    body_weldid: Array[np.int32]
    """nearest ancestor with joints, or the body itself; fixed relative to it, shape (nbody)"""
    body_mocapid: Array[np.int32]
    """mocap index, or -1, shape (nbody)"""
    body_jntnum: Array[np.int32]
    """number of joints, shape (nbody)"""
    body_jntadr: Array[np.int32]
    """first joint, or -1, shape (nbody)"""
    body_dofnum: Array[np.int32]
    """number of dofs, shape (nbody)"""
    body_dofadr: Array[np.int32]
    """first dof, or -1, shape (nbody)"""
    body_treeid: Array[np.int32]
    """kinematic tree, or -1, shape (nbody)"""
    body_geomnum: Array[np.int32]
    """number of geoms, shape (nbody)"""
    body_geomadr: Array[np.int32]
    """first geom, or -1, shape (nbody)"""
    body_simple: Array[np.uint8]
    """1: inertia diagonal and constant; 2: and only slide joints; 0: neither, shape (nbody)"""
    body_sameframe: Array[np.uint8]
    """relation of the inertial frame to the body frame, shape (nbody)"""
    body_subtreemass: Array[np.float64]
    """mass of the subtree that starts at the body [kg], shape (nbody)"""
    body_margin: Array[np.float64]
    """largest margin + gap of its geoms [m], shape (nbody)"""
    body_contype: Array[np.int32]
    """bitwise OR of the contype of its geoms, shape (nbody)"""
    body_conaffinity: Array[np.int32]
    """bitwise OR of the conaffinity of its geoms, shape (nbody)"""
    body_bvhadr: Array[np.int32]
    """first bounding volume, or -1, shape (nbody)"""
    body_bvhnum: Array[np.int32]
    """number of bounding volumes, shape (nbody)"""
    body_plugin: Array[np.int32]
    """plugins are not supported: always -1, shape (nbody)"""
    bvh_depth: Array[np.int32]
    """depth in its tree, shape (nbvh)"""
    bvh_child: Array[np.int32]
    """children; -1 for a leaf, shape (nbvh, 2)"""
    bvh_nodeid: Array[np.int32]
    """geom or triangle of a leaf; -1 for an inner node, shape (nbvh)"""
    bvh_aabb: Array[np.float64]
    """bounding box: centre, half-sizes [m], shape (nbvhstatic, 6)"""
    jnt_qposadr: Array[np.int32]
    """first coordinate, shape (njnt)"""
    jnt_dofadr: Array[np.int32]
    """first dof, shape (njnt)"""
    jnt_bodyid: Array[np.int32]
    """body of the joint, shape (njnt)"""
    jnt_stiffnesspoly: Array[np.float64]
    """coefficients of x² and x³ in the spring force, shape (njnt, 2)"""
    jnt_plasticadr: Array[np.int32]
    """address of its coordinates in plastic, or -1, shape (njnt)"""
    jnt_actuatorid: Array[np.int32]
    """actuator that adds damping or armature; -1: none, -2: several, shape (njnt)"""
    dof_bodyid: Array[np.int32]
    """body of the dof, shape (nv)"""
    dof_jntid: Array[np.int32]
    """joint of the dof, shape (nv)"""
    dof_parentid: Array[np.int32]
    """parent dof in the tree, or -1, shape (nv)"""
    dof_treeid: Array[np.int32]
    """kinematic tree, shape (nv)"""
    dof_Madr: Array[np.int32]
    """address of the diagonal in the inertia matrix with simple dofs expanded, shape (nv)"""
    dof_simplenum: Array[np.int32]
    """number of consecutive simple dofs from this one on, shape (nv)"""
    dof_dampingpoly: Array[np.float64]
    """coefficients of v|v| and v³ in the damping force, shape (nv, 2)"""
    dof_invweight0: Array[np.float64]
    """mean diagonal entry of the inverse inertia matrix at qpos0, shape (nv)"""
    dof_M0: Array[np.float64]
    """diagonal entry of the inertia matrix at qpos0, shape (nv)"""
    body_invweight0: Array[np.float64]
    """mean inverse inertia at qpos0: translational, rotational, shape (nbody, 2)"""
    dof_length: Array[np.float64]
    """distance moved per unit of the dof, to convert its velocity to m/s [m], shape (nv)"""
    tree_bodyadr: Array[np.int32]
    """first body, shape (ntree)"""
    tree_bodynum: Array[np.int32]
    """number of bodies, shape (ntree)"""
    tree_dofadr: Array[np.int32]
    """first dof, shape (ntree)"""
    tree_dofnum: Array[np.int32]
    """number of dofs, shape (ntree)"""
    geom_bodyid: Array[np.int32]
    """body of the geom, shape (ngeom)"""
    geom_dataid: Array[np.int32]
    """mesh or height field, or -1, shape (ngeom)"""
    geom_sameframe: Array[np.uint8]
    """relation of its frame to the body frame, shape (ngeom)"""
    geom_aabb: Array[np.float64]
    """bounding box in the geom frame: centre, half-sizes [m], shape (ngeom, 6)"""
    geom_rbound: Array[np.float64]
    """radius of the bounding sphere; 0 for a plane [m], shape (ngeom)"""
    geom_fluid: Array[np.float64]
    """parameters of the ellipsoid fluid model, shape (ngeom, 12)"""
    geom_plugin: Array[np.int32]
    """plugins are not supported: always -1, shape (ngeom)"""
    site_bodyid: Array[np.int32]
    """body of the site, shape (nsite)"""
    site_sameframe: Array[np.uint8]
    """relation of its frame to the body frame, shape (nsite)"""
    cam_bodyid: Array[np.int32]
    """body of the camera, shape (ncam)"""
    cam_poscom0: Array[np.float64]
    """position relative to the subtree's centre of mass at qpos0 [m], shape (ncam, 3)"""
    cam_pos0: Array[np.float64]
    """position relative to the body, in world axes, at qpos0 [m], shape (ncam, 3)"""
    cam_mat0: Array[np.float64]
    """orientation at qpos0, shape (ncam, 9)"""
    cam_intrinsic: Array[np.float32]
    """focal lengths and principal point [m], shape (ncam, 4)"""
    light_bodyid: Array[np.int32]
    """body of the light, shape (nlight)"""
    light_poscom0: Array[np.float64]
    """position relative to the subtree's centre of mass at qpos0 [m], shape (nlight, 3)"""
    light_pos0: Array[np.float64]
    """position relative to the body, in world axes, at qpos0 [m], shape (nlight, 3)"""
    light_dir0: Array[np.float64]
    """direction at qpos0, shape (nlight, 3)"""
    mesh_vertadr: Array[np.int32]
    """first vertex, shape (nmesh)"""
    mesh_vertnum: Array[np.int32]
    """number of vertices, shape (nmesh)"""
    mesh_faceadr: Array[np.int32]
    """first triangle, shape (nmesh)"""
    mesh_facenum: Array[np.int32]
    """number of triangles, shape (nmesh)"""
    mesh_bvhadr: Array[np.int32]
    """first bounding volume, shape (nmesh)"""
    mesh_bvhnum: Array[np.int32]
    """number of bounding volumes, shape (nmesh)"""
    mesh_octadr: Array[np.int32]
    """signed distance fields are not supported: always -1, shape (nmesh)"""
    mesh_octnum: Array[np.int32]
    """signed distance fields are not supported: always 0, shape (nmesh)"""
    mesh_normaladr: Array[np.int32]
    """first normal, shape (nmesh)"""
    mesh_normalnum: Array[np.int32]
    """number of normals, shape (nmesh)"""
    mesh_texcoordadr: Array[np.int32]
    """first texture coordinate, or -1, shape (nmesh)"""
    mesh_texcoordnum: Array[np.int32]
    """number of texture coordinates, shape (nmesh)"""
    mesh_graphadr: Array[np.int32]
    """address of the hull graph, or -1, shape (nmesh)"""
    mesh_extrema: Array[np.int32]
    """farthest vertex in each of 27 directions, shape (nmesh, 27)"""
    mesh_pos: Array[np.float64]
    """translation from the compiled frame to the file's frame [m], shape (nmesh, 3)"""
    mesh_quat: Array[np.float64]
    """rotation from the compiled frame to the file's frame, shape (nmesh, 4)"""
    mesh_pathadr: Array[np.int32]
    """address of the file name, or -1, shape (nmesh)"""
    mesh_polynum: Array[np.int32]
    """number of hull polygons, shape (nmesh)"""
    mesh_polyadr: Array[np.int32]
    """first hull polygon, shape (nmesh)"""
    mesh_vert: Array[np.float32]
    """vertices [m], shape (nmeshvert, 3)"""
    mesh_normal: Array[np.float32]
    """normals, shape (nmeshnormal, 3)"""
    mesh_texcoord: Array[np.float32]
    """texture coordinates, shape (nmeshtexcoord, 2)"""
    mesh_face: Array[np.int32]
    """vertices of a triangle, shape (nmeshface, 3)"""
    mesh_facenormal: Array[np.int32]
    """normals of a triangle, shape (nmeshface, 3)"""
    mesh_facetexcoord: Array[np.int32]
    """texture coordinates of a triangle, shape (nmeshface, 3)"""
    mesh_graph: Array[np.int32]
    """hull graphs: sizes, edge starts, vertices, edges, faces, shape (nmeshgraph)"""
    mesh_polynormal: Array[np.float64]
    """normal of a hull polygon, shape (nmeshpoly, 3)"""
    mesh_polyvertadr: Array[np.int32]
    """first corner of a hull polygon, shape (nmeshpoly)"""
    mesh_polyvertnum: Array[np.int32]
    """number of corners of a hull polygon, shape (nmeshpoly)"""
    mesh_polyvert: Array[np.int32]
    """vertex of each corner, shape (nmeshpolyvert)"""
    mesh_polymapadr: Array[np.int32]
    """first polygon index of a vertex, shape (nmeshvert)"""
    mesh_polymapnum: Array[np.int32]
    """number of polygons at a vertex, shape (nmeshvert)"""
    mesh_polymap: Array[np.int32]
    """polygons at each vertex, shape (nmeshpolymap)"""
    skin_vertadr: Array[np.int32]
    """first vertex, shape (nskin)"""
    skin_vertnum: Array[np.int32]
    """number of vertices, shape (nskin)"""
    skin_texcoordadr: Array[np.int32]
    """first texture coordinate, or -1, shape (nskin)"""
    skin_faceadr: Array[np.int32]
    """first triangle, shape (nskin)"""
    skin_facenum: Array[np.int32]
    """number of triangles, shape (nskin)"""
    skin_boneadr: Array[np.int32]
    """first bone, shape (nskin)"""
    skin_bonenum: Array[np.int32]
    """number of bones, shape (nskin)"""
    skin_pathadr: Array[np.int32]
    """address of the file name, or -1, shape (nskin)"""
    skin_vert: Array[np.float32]
    """vertices [m], shape (nskinvert, 3)"""
    skin_texcoord: Array[np.float32]
    """texture coordinates, shape (nskintexvert, 2)"""
    skin_face: Array[np.int32]
    """vertices of a triangle, shape (nskinface, 3)"""
    skin_bonevertadr: Array[np.int32]
    """first vertex of a bone, shape (nskinbone)"""
    skin_bonevertnum: Array[np.int32]
    """number of vertices of a bone, shape (nskinbone)"""
    skin_bonebindpos: Array[np.float32]
    """bind position of the bone [m], shape (nskinbone, 3)"""
    skin_bonebindquat: Array[np.float32]
    """bind orientation of the bone, shape (nskinbone, 4)"""
    skin_bonebodyid: Array[np.int32]
    """body of the bone, shape (nskinbone)"""
    skin_bonevertid: Array[np.int32]
    """vertex influenced by a bone, shape (nskinbonevert)"""
    skin_bonevertweight: Array[np.float32]
    """weight of that vertex, shape (nskinbonevert)"""
    hfield_adr: Array[np.int32]
    """first point, shape (nhfield)"""
    hfield_data: Array[np.float32]
    """normalized elevations, 0 to 1, shape (nhfielddata)"""
    hfield_pathadr: Array[np.int32]
    """address of the file name, or -1, shape (nhfield)"""
    tex_adr: Array[np.int64]
    """first byte, shape (ntex)"""
    tex_pathadr: Array[np.int32]
    """address of the file name, or -1, shape (ntex)"""
    tex_contenttypeadr: Array[np.int32]
    """address of the content type, or -1, shape (ntex)"""
    tex_data: Array[np.uint8]
    """pixels of all textures, shape (ntexdata)"""
    mat_texid: Array[np.int32]
    """texture for each role, or -1, shape (nmat, 10)"""
    pair_geom1: Array[np.int32]
    """first geom, shape (npair)"""
    pair_geom2: Array[np.int32]
    """second geom, shape (npair)"""
    pair_signature: Array[np.int32]
    """ids of both bodies, one in each 16 bits, shape (npair)"""
    exclude_signature: Array[np.int32]
    """ids of both bodies, one in each 16 bits, shape (nexclude)"""
    eq_type: Array[np.int32]
    """connect, weld, joint, tendon or distance, shape (neq)"""
    eq_obj1id: Array[np.int32]
    """first object, shape (neq)"""
    eq_obj2id: Array[np.int32]
    """second object, or -1, shape (neq)"""
    eq_objtype: Array[np.int32]
    """type of both objects, shape (neq)"""
    tendon_type: Array[np.int32]
    """fixed or spatial, shape (ntendon)"""
    tendon_adr: Array[np.int32]
    """first element of the path, shape (ntendon)"""
    tendon_num: Array[np.int32]
    """number of path elements, shape (ntendon)"""
    tendon_actuatorid: Array[np.int32]
    """actuator that adds damping or armature; -1: none, -2: several, shape (ntendon)"""
    tendon_plasticadr: Array[np.int32]
    """address of its length range in plastic, or -1, shape (ntendon)"""
    tendon_treenum: Array[np.int32]
    """number of trees along the path, shape (ntendon)"""
    tendon_treeid: Array[np.int32]
    """first two of these trees, or -1, shape (ntendon, 2)"""
    ten_J_rownnz: Array[np.int32]
    """tendon Jacobian: nonzeros in a row, shape (ntendon)"""
    ten_J_rowadr: Array[np.int32]
    """tendon Jacobian: first entry of a row, shape (ntendon)"""
    ten_J_colind: Array[np.int32]
    """tendon Jacobian: column indices, shape (nJten)"""
    tendon_stiffnesspoly: Array[np.float64]
    """coefficients of x² and x³ in the spring force, shape (ntendon, 2)"""
    tendon_dampingpoly: Array[np.float64]
    """coefficients of v|v| and v³ in the damping force, shape (ntendon, 2)"""
    tendon_length0: Array[np.float64]
    """length at qpos0 [m], shape (ntendon)"""
    tendon_invweight0: Array[np.float64]
    """mean inverse inertia at qpos0 [1/kg], shape (ntendon)"""
    wrap_type: Array[np.int32]
    """joint, pulley, site, sphere or cylinder, shape (nwrap)"""
    wrap_objid: Array[np.int32]
    """joint, site or geom, or -1, shape (nwrap)"""
    wrap_prm: Array[np.float64]
    """joint coefficient, pulley divisor or side site, shape (nwrap)"""
    actuator_trntype: Array[np.int32]
    """transmission type, shape (nactuator)"""
    actuator_ctrladr: Array[np.int32]
    """first control, shape (nactuator)"""
    actuator_ctrlnum: Array[np.int32]
    """number of controls, shape (nactuator)"""
    actuator_ctrlspec: Array[np.int32]
    """meaning of its controls, shape (nactuator)"""
    actuator_outadr: Array[np.int32]
    """first force output, shape (nactuator)"""
    actuator_outnum: Array[np.int32]
    """number of force outputs, shape (nactuator)"""
    actuator_actadr: Array[np.int32]
    """first activation state, or -1, shape (nactuator)"""
    actuator_trnid: Array[np.int32]
    """transmission target: joint, tendon, site or body; second one, or -1, shape (nactuator, 2)"""
    actuator_history: Array[np.int32]
    """delay buffer: number of samples, interpolation, shape (nactuator, 2)"""
    actuator_historyadr: Array[np.int32]
    """address of the delay buffer, or -1, shape (nactuator)"""
    actuator_dampingpoly: Array[np.float64]
    """coefficients of v|v| and v³ in the damping force, shape (nactuator, 2)"""
    actuator_plugin: Array[np.int32]
    """plugins are not supported: always -1, shape (nactuator)"""
    actuator_acc0: Array[np.float64]
    """norm of the acceleration caused by a unit force at qpos0, shape (nout)"""
    actuator_length0: Array[np.float64]
    """length at qpos0, shape (nout)"""
    sensor_type: Array[np.int32]
    """sensor type, shape (nsensor)"""
    sensor_objtype: Array[np.int32]
    """type of the sensorized object, shape (nsensor)"""
    sensor_objid: Array[np.int32]
    """id of the sensorized object, shape (nsensor)"""
    sensor_reftype: Array[np.int32]
    """type of the reference frame, shape (nsensor)"""
    sensor_refid: Array[np.int32]
    """id of the reference frame, or -1, shape (nsensor)"""
    sensor_intprm: Array[np.int32]
    """integer parameters of its type, shape (nsensor, 3)"""
    sensor_dim: Array[np.int32]
    """number of outputs, shape (nsensor)"""
    sensor_adr: Array[np.int32]
    """address in sensordata, shape (nsensor)"""
    sensor_history: Array[np.int32]
    """delay buffer: number of samples, interpolation, shape (nsensor, 2)"""
    sensor_historyadr: Array[np.int32]
    """address of the delay buffer, or -1, shape (nsensor)"""
    sensor_plugin: Array[np.int32]
    """plugins are not supported: always -1, shape (nsensor)"""
    numeric_adr: Array[np.int32]
    """first number, shape (nnumeric)"""
    numeric_size: Array[np.int32]
    """number of numbers, shape (nnumeric)"""
    numeric_data: Array[np.float64]
    """numbers of all custom numeric fields, shape (nnumericdata)"""
    text_adr: Array[np.int32]
    """first byte, shape (ntext)"""
    text_size: Array[np.int32]
    """number of bytes, including the terminating zero, shape (ntext)"""
    text_data: Array[np.uint8]
    """bytes of all custom text fields, shape (ntextdata)"""
    tuple_adr: Array[np.int32]
    """first object, shape (ntuple)"""
    tuple_size: Array[np.int32]
    """number of objects, shape (ntuple)"""
    tuple_objtype: Array[np.int32]
    """type of each object, shape (ntupledata)"""
    tuple_objid: Array[np.int32]
    """id of each object, shape (ntupledata)"""
    tuple_objprm: Array[np.float64]
    """parameter of each object, shape (ntupledata)"""
    M_rownnz: Array[np.int32]
    """inertia matrix, lower triangle: nonzeros in a row, shape (nv)"""
    M_rowadr: Array[np.int32]
    """inertia matrix: first entry of a row, shape (nv)"""
    M_colind: Array[np.int32]
    """inertia matrix: column indices, shape (nC)"""
    mapM2M: Array[np.int32]
    """entry of M -> address with simple dofs expanded, shape (nC)"""
    B_rownnz: Array[np.int32]
    """body-dof matrix: nonzeros in a row, shape (nbody)"""
    B_rowadr: Array[np.int32]
    """body-dof matrix: first entry of a row, shape (nbody)"""
    B_colind: Array[np.int32]
    """body-dof matrix: column indices, shape (nB)"""
    D_rownnz: Array[np.int32]
    """dof-dof matrix: nonzeros in a row, shape (nv)"""
    D_rowadr: Array[np.int32]
    """dof-dof matrix: first entry of a row, shape (nv)"""
    D_diag: Array[np.int32]
    """dof-dof matrix: index of the diagonal in its row, shape (nv)"""
    D_colind: Array[np.int32]
    """dof-dof matrix: column indices, shape (nD)"""
    mapM2D: Array[np.int32]
    """entry of D -> entry of M, shape (nD)"""
    mapD2M: Array[np.int32]
    """entry of M -> entry of D, shape (nC)"""
    @property
    def opt(self) -> ModelOpt: ...
    @property
    def vis(self) -> ModelVis: ...
    @property
    def stat(self) -> ModelStat: ...
    def body(self, key: str | SupportsIndex) -> ModelBody:
        """The body with a name or an index."""
    def joint(self, key: str | SupportsIndex) -> ModelJoint:
        """The joint with a name or an index."""
    def geom(self, key: str | SupportsIndex) -> ModelGeom:
        """The geom with a name or an index."""
    def site(self, key: str | SupportsIndex) -> ModelSite:
        """The site with a name or an index."""
    def camera(self, key: str | SupportsIndex) -> ModelCamera:
        """The camera with a name or an index."""
    def light(self, key: str | SupportsIndex) -> ModelLight:
        """The light with a name or an index."""
    def mesh(self, key: str | SupportsIndex) -> ModelMesh:
        """The mesh with a name or an index."""
    def skin(self, key: str | SupportsIndex) -> ModelSkin:
        """The skin with a name or an index."""
    def hfield(self, key: str | SupportsIndex) -> ModelHfield:
        """The hfield with a name or an index."""
    def texture(self, key: str | SupportsIndex) -> ModelTexture:
        """The texture with a name or an index."""
    def material(self, key: str | SupportsIndex) -> ModelMaterial:
        """The material with a name or an index."""
    def pair(self, key: str | SupportsIndex) -> ModelPair:
        """The pair with a name or an index."""
    def exclude(self, key: str | SupportsIndex) -> ModelExclude:
        """The exclude with a name or an index."""
    def equality(self, key: str | SupportsIndex) -> ModelEquality:
        """The equality with a name or an index."""
    def tendon(self, key: str | SupportsIndex) -> ModelTendon:
        """The tendon with a name or an index."""
    def actuator(self, key: str | SupportsIndex) -> ModelActuator:
        """The actuator with a name or an index."""
    def sensor(self, key: str | SupportsIndex) -> ModelSensor:
        """The sensor with a name or an index."""
    def numeric(self, key: str | SupportsIndex) -> ModelNumeric:
        """The numeric with a name or an index."""
    def text(self, key: str | SupportsIndex) -> ModelText:
        """The text with a name or an index."""
    def tuple(self, key: str | SupportsIndex) -> ModelTuple:
        """The tuple with a name or an index."""
    def key(self, key: str | SupportsIndex) -> ModelKey:
        """The key with a name or an index."""
    def jnt(self, key: str | SupportsIndex) -> ModelJoint:
        """The joint with a name or an index."""
    def cam(self, key: str | SupportsIndex) -> ModelCamera:
        """The camera with a name or an index."""
    def tex(self, key: str | SupportsIndex) -> ModelTexture:
        """The texture with a name or an index."""
    def mat(self, key: str | SupportsIndex) -> ModelMaterial:
        """The material with a name or an index."""
    def eq(self, key: str | SupportsIndex) -> ModelEquality:
        """The equality with a name or an index."""
    def ten(self, key: str | SupportsIndex) -> ModelTendon:
        """The tendon with a name or an index."""
    def keyframe(self, key: str | SupportsIndex) -> ModelKey:
        """The key with a name or an index."""

class DataPerturb(Record):
    select: int
    """selected body of the mouse perturbation"""
    active: int
    """bits of PERT_*: translation, rotation; 0: none"""
    localpos: Array[np.float64]
    """selected point in the body frame [m], shape (3)"""
    refselpos: Array[np.float64]
    """position to which the point is pulled [m], shape (3)"""
    refquat: Array[np.float64]
    """orientation to which the body is rotated, shape (4)"""
    xfrc: Array[np.float64]
    """force and torque of the perturbation at the body's centre of mass [N,N·m], shape (6)"""

class DataWarning(Record):
    number: Array[np.int32]
    """number of times the warning was raised, shape (nwarning)"""
    lastinfo: Array[np.int32]
    """index reported with the last one, shape (nwarning)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataWarningRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataWarningRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataWarningRow(Record):
    number: Element[np.int32]
    """number of times the warning was raised"""
    lastinfo: Element[np.int32]
    """index reported with the last one"""

class DataNoise(Record):
    scale: float
    """control noise: standard deviation in halves of the control range; 0: none"""
    rate: float
    """correlation time of the noise [s]"""
    seed: int
    """seed: the same seed gives the same noise at the same time"""

class DataRequired(Record):
    ncon: int
    """required capacity for contacts, if it is exceeded"""
    nefc: int
    """required capacity for constraint rows, if it is exceeded"""
    nJ: int
    """required capacity for entries of efc_J, if it is exceeded"""
    nL: int
    """required capacity for entries of the Hessian's factor"""
    nY: int
    """required capacity for entries of dual.Y"""
    nisland: int
    """required capacity for islands, if it is exceeded"""
    nnear: int
    """required capacity for candidate pairs, if it is exceeded"""
    npolytope: int
    """required capacity for faces of an EPA polytope"""
    nfacet: int
    """required capacity for rows of touching faces"""

class DataTrace(Record):
    count: int
    """number of states recorded"""
    asleep: int
    """1: a row has the sleep state too"""
    state: Array[np.float64]
    """ring buffer of the last states: STATE_RECORD, STATE_SLEEP if asleep, shape (ntrace, nstate)"""

class DataSpan(Record):
    nbody: int
    """number of index ranges of awake and static bodies, without the world"""
    body: Array[np.int32]
    """index range: first body, one past the last, shape (nbody, 2)"""
    ngeom: int
    """number of index ranges of geoms of these bodies and the world"""
    geom: Array[np.int32]
    """index range: first geom, one past the last, shape (ngeom, 2)"""
    njnt: int
    """number of index ranges of awake joints"""
    jnt: Array[np.int32]
    """index range: first joint, one past the last, shape (njnt, 2)"""
    ndof: int
    """number of index ranges of awake dofs"""
    dof: Array[np.int32]
    """index range: first dof, one past the last, shape (nv, 2)"""

class DataSleep(Record):
    static_valid: int
    """poses of static bodies are up to date"""
    changed: int
    """number of changes of sleep states"""
    qpos: Array[np.float64]
    """qpos at which trees fell asleep [q], shape (nq)"""
    mocap_pos: Array[np.float64]
    """position of the mocap parent when its trees fell asleep [m], shape (nmocap, 3)"""
    mocap_quat: Array[np.float64]
    """orientation of the mocap parent when its trees fell asleep, shape (nmocap, 4)"""

class DataSegment(Record):
    end: Array[np.float64]
    """closest points of two geoms; deepest points if they penetrate [m], shape (2, 3)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataSegmentRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataSegmentRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataSegmentRow(Record):
    end: Array[np.float64]
    """closest points of two geoms; deepest points if they penetrate [m], shape (3)"""

class DataRay(Record):
    count: int
    """number of geoms that rays can hit"""
    target: Array[np.int32]
    """indices of these geoms, shape (ngeom)"""
    offset: Array[np.float64]
    """from the geom's centre to the origin of the rays [m], shape (ngeom, 3)"""
    outside: Array[np.float64]
    """squared distance to the geom's centre minus squared bounding radius [m²], shape (ngeom)"""
    geom: int
    """geom hit by the last ray, or -1"""
    normal: Array[np.float64]
    """surface normal at the hit; second row: in the frame of the tested geom, shape (2, 3)"""
    stack: Array[np.int32]
    """stack of bounding volumes still to be visited, shape (64)"""

class DataRays(Record):
    vec: Array[np.float64]
    """ray directions, shape (nray, 3)"""
    dist: Array[np.float64]
    """distance to the hit, in lengths of the direction, or -1, shape (nray)"""
    geom: Array[np.int32]
    """geom hit, or -1, shape (nray)"""
    normal: Array[np.float64]
    """surface normal at the hit, shape (nray, 3)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataRaysRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataRaysRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataRaysRow(Record):
    vec: Array[np.float64]
    """ray directions, shape (3)"""
    dist: Element[np.float64]
    """distance to the hit, in lengths of the direction, or -1"""
    geom: Element[np.int32]
    """geom hit, or -1"""
    normal: Array[np.float64]
    """surface normal at the hit, shape (3)"""

class DataMatch(Record):
    contact: Array[np.int32]
    """contacts that match a contact sensor, shape (ncon)"""
    flip: Array[np.int32]
    """the sensor's first object is the contact's second geom, shape (ncon)"""
    key: Array[np.float64]
    """sort key of the contact, shape (ncon)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataMatchRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataMatchRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataMatchRow(Record):
    contact: Element[np.int32]
    """contacts that match a contact sensor"""
    flip: Element[np.int32]
    """the sensor's first object is the contact's second geom"""
    key: Element[np.float64]
    """sort key of the contact"""

class DataContact(Record):
    dist: Array[np.float64]
    """distance between the surfaces; negative: penetration [m], shape (ncon)"""
    pos: Array[np.float64]
    """contact point: midpoint between the surfaces [m], shape (ncon, 3)"""
    frame: Array[np.float64]
    """contact frame, by rows: normal from geom 0 to geom 1, two tangents, shape (ncon, 9)"""
    includemargin: Array[np.float64]
    """distance below which the contact is active [m], shape (ncon)"""
    friction: Array[np.float64]
    """friction coefficients: two sliding, torsional, two rolling, shape (ncon, 5)"""
    solref: Array[np.float64]
    """reference spring-damper of the normal row, shape (ncon, 2)"""
    solreffriction: Array[np.float64]
    """reference spring-damper of the friction rows, shape (ncon, 2)"""
    solimp: Array[np.float64]
    """impedance, shape (ncon, 5)"""
    adhesion: Array[np.float64]
    """adhesion force [N], shape (ncon)"""
    surfacevel: Array[np.float64]
    """velocity of the moving surfaces, geom 1 minus geom 0: two tangents, spin, shape (ncon, 3)"""
    dim: Array[np.int32]
    """contact dimension: 1, 3, 4 or 6, shape (ncon)"""
    geom: Array[np.int32]
    """geom ids, shape (ncon, 2)"""
    geom1: Array[np.int32]
    """first geom id; deprecated, same as geom[0], shape (ncon)"""
    geom2: Array[np.int32]
    """second geom id; deprecated, same as geom[1], shape (ncon)"""
    flex: Array[np.int32]
    """flexes are not supported: always -1, shape (ncon, 2)"""
    elem: Array[np.int32]
    """flexes are not supported: always -1, shape (ncon, 2)"""
    vert: Array[np.int32]
    """flexes are not supported: always -1, shape (ncon, 2)"""
    exclude: Array[np.int32]
    """reason for exclusion from the constraints; 0: included, shape (ncon)"""
    efc_address: Array[np.int32]
    """first constraint row, or -1, shape (ncon)"""
    mu: Array[np.float64]
    """friction of the regularized cone, shape (ncon)"""
    H: Array[np.float64]
    """cone Hessian, shape (ncon, 36)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataContactRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataContactRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataContactRow(Record):
    dist: Element[np.float64]
    """distance between the surfaces; negative: penetration [m]"""
    pos: Array[np.float64]
    """contact point: midpoint between the surfaces [m], shape (3)"""
    frame: Array[np.float64]
    """contact frame, by rows: normal from geom 0 to geom 1, two tangents, shape (9)"""
    includemargin: Element[np.float64]
    """distance below which the contact is active [m]"""
    friction: Array[np.float64]
    """friction coefficients: two sliding, torsional, two rolling, shape (5)"""
    solref: Array[np.float64]
    """reference spring-damper of the normal row, shape (2)"""
    solreffriction: Array[np.float64]
    """reference spring-damper of the friction rows, shape (2)"""
    solimp: Array[np.float64]
    """impedance, shape (5)"""
    adhesion: Element[np.float64]
    """adhesion force [N]"""
    surfacevel: Array[np.float64]
    """velocity of the moving surfaces, geom 1 minus geom 0: two tangents, spin, shape (3)"""
    dim: Element[np.int32]
    """contact dimension: 1, 3, 4 or 6"""
    geom: Array[np.int32]
    """geom ids, shape (2)"""
    geom1: Element[np.int32]
    """first geom id; deprecated, same as geom[0]"""
    geom2: Element[np.int32]
    """second geom id; deprecated, same as geom[1]"""
    flex: Array[np.int32]
    """flexes are not supported: always -1, shape (2)"""
    elem: Array[np.int32]
    """flexes are not supported: always -1, shape (2)"""
    vert: Array[np.int32]
    """flexes are not supported: always -1, shape (2)"""
    exclude: Element[np.int32]
    """reason for exclusion from the constraints; 0: included"""
    efc_address: Element[np.int32]
    """first constraint row, or -1"""
    mu: Element[np.float64]
    """friction of the regularized cone"""
    H: Array[np.float64]
    """cone Hessian, shape (36)"""

class DataSwept(Record):
    move: Array[np.float64]
    """speculative contacts: displacement of a geom over the step [m], shape (ngeom, 3)"""
    turn: Array[np.float64]
    """its rotation over the step [rad], shape (ngeom, 3)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataSweptRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataSweptRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataSweptRow(Record):
    move: Array[np.float64]
    """speculative contacts: displacement of a geom over the step [m], shape (3)"""
    turn: Array[np.float64]
    """its rotation over the step [rad], shape (3)"""

class DataManifold(Record):
    dist: Array[np.float64]
    """contacts of the current geom pair: distance [m], shape (50)"""
    pos: Array[np.float64]
    """midpoint between the surfaces [m], shape (50, 3)"""
    normal: Array[np.float64]
    """normal from the first geom to the second, shape (50, 3)"""
    tangent: Array[np.float64]
    """preferred first tangent; zero: none, shape (50, 3)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataManifoldRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataManifoldRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataManifoldRow(Record):
    dist: Element[np.float64]
    """contacts of the current geom pair: distance [m]"""
    pos: Array[np.float64]
    """midpoint between the surfaces [m], shape (3)"""
    normal: Array[np.float64]
    """normal from the first geom to the second, shape (3)"""
    tangent: Array[np.float64]
    """preferred first tangent; zero: none, shape (3)"""

class DataNear(Record):
    first: Array[np.int32]
    """first body of a pair; first geom in the mid phase, shape (nnear)"""
    second: Array[np.int32]
    """second body or geom of the pair, shape (nnear)"""
    spare_first: Array[np.int32]
    """scratch for sorting, shape (nnear)"""
    spare_second: Array[np.int32]
    """scratch for sorting, shape (nnear)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataNearRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataNearRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataNearRow(Record):
    first: Element[np.int32]
    """first body of a pair; first geom in the mid phase"""
    second: Element[np.int32]
    """second body or geom of the pair"""
    spare_first: Element[np.int32]
    """scratch for sorting"""
    spare_second: Element[np.int32]
    """scratch for sorting"""

class DataSweep(Record):
    low: Array[np.float64]
    """lower corner of the body's AABB, including margin [m], shape (nbody, 3)"""
    high: Array[np.float64]
    """upper corner of the body's AABB [m], shape (nbody, 3)"""
    order: Array[np.int32]
    """bodies that can collide, sorted by lower bound, shape (nbody)"""
    still: Array[np.int32]
    """static and sleeping bodies, sorted by lower bound, shape (nbody)"""
    nstill: int
    """number of static and sleeping bodies"""
    axis: int
    """sweep axis"""
    reach: Array[np.float64]
    """running maximum of the upper bounds of static and sleeping bodies [m], shape (nbody)"""
    seen: int
    """sleep.changed at the last sort"""
    count: Array[np.int32]
    """number of pairs per body, for the sort, shape (nbody)"""

class DataDescent(Record):
    first: Array[np.int32]
    """stack of bounding volumes of the first body still to be visited, shape (nbvhstatic)"""
    second: Array[np.int32]
    """stack of their counterparts of the second body, shape (nbvhstatic)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataDescentRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataDescentRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataDescentRow(Record):
    first: Element[np.int32]
    """stack of bounding volumes of the first body still to be visited"""
    second: Element[np.int32]
    """stack of their counterparts of the second body"""

class DataClip(Record):
    vertex: Array[np.float64]
    """vertices of the clipped polygon, double buffered [m], shape (24, 3)"""
    side: Array[np.float64]
    """signed distance of each vertex from the clipping plane [m], shape (12)"""

class DataSolid(Record):
    type: Array[np.int32]
    """geom pair of convex collision: type, shape (2)"""
    mesh: Array[np.int32]
    """mesh, or -1, shape (2)"""
    hill_climbs: Array[np.int32]
    """support points are found by hill climbing on the hull, shape (2)"""
    pos: Array[np.float64]
    """position [m], shape (2, 3)"""
    mat: Array[np.float64]
    """orientation, shape (2, 9)"""
    size: Array[np.float64]
    """size parameters [m], shape (2, 3)"""
    inflate: Array[np.float64]
    """inflation by half the margin [m], shape (2)"""
    vertex: Array[np.int32]
    """vertex of the last support point, or -1, shape (2)"""
    hint: Array[np.int32]
    """the same vertex as a hull index, or -1, shape (2)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataSolidRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataSolidRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataSolidRow(Record):
    type: Element[np.int32]
    """geom pair of convex collision: type"""
    mesh: Element[np.int32]
    """mesh, or -1"""
    hill_climbs: Element[np.int32]
    """support points are found by hill climbing on the hull"""
    pos: Array[np.float64]
    """position [m], shape (3)"""
    mat: Array[np.float64]
    """orientation, shape (9)"""
    size: Array[np.float64]
    """size parameters [m], shape (3)"""
    inflate: Element[np.float64]
    """inflation by half the margin [m]"""
    vertex: Element[np.int32]
    """vertex of the last support point, or -1"""
    hint: Element[np.int32]
    """the same vertex as a hull index, or -1"""

class DataPrism(Record):
    vertex: Array[np.float64]
    """vertices of a height field prism: three below, three above [m], shape (6, 3)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataPrismRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataPrismRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataPrismRow(Record):
    vertex: Array[np.float64]
    """vertices of a height field prism: three below, three above [m], shape (3)"""

class DataSimplex(Record):
    n: int
    """number of vertices of the GJK simplex"""
    apart: int
    """1 if a plane separates the geoms"""
    v: Array[np.float64]
    """vertices: Minkowski difference, first geom, second geom; one to spare [m], shape (5, 9)"""
    index: Array[np.int32]
    """their vertices on both geoms, or -1, shape (5, 2)"""
    weight: Array[np.float64]
    """barycentric coordinates of the point nearest to the origin, shape (4)"""

class DataPolytope(Record):
    nvert: int
    """number of vertices of the EPA polytope in the Minkowski difference"""
    nmap: int
    """number of candidate faces"""
    centre: Array[np.float64]
    """an interior point [m], shape (1, 3)"""
    v: Array[np.float64]
    """vertices: Minkowski difference, first geom, second geom [m], shape (npolytope, 9)"""
    index: Array[np.int32]
    """their vertices on both geoms, or -1, shape (npolytope, 2)"""
    face: Array[np.int32]
    """vertices of a face, shape (npolytope, 3)"""
    adjacent: Array[np.int32]
    """adjacent faces, shape (npolytope, 3)"""
    projection: Array[np.float64]
    """projection of the origin onto the face's plane [m], shape (npolytope, 3)"""
    dist2: Array[np.float64]
    """squared distance of the plane from the origin [m²], shape (npolytope)"""
    map_index: Array[np.int32]
    """index in the map; -1: not a candidate; -2: deleted, shape (npolytope)"""
    map: Array[np.int32]
    """candidate faces for the one nearest to the origin, shape (npolytope)"""
    horizon: Array[np.int32]
    """horizon of the new vertex: faces and edges, shape (npolytope, 2)"""
    stack: Array[np.int32]
    """faces and edges still to be visited, shape (npolytope, 2)"""

class DataWitness(Record):
    first: Array[np.float64]
    """witness points on the first geom [m], shape (50, 3)"""
    second: Array[np.float64]
    """witness points on the second geom [m], shape (50, 3)"""
    dist: Array[np.float64]
    """signed distances [m], shape (50)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataWitnessRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataWitnessRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataWitnessRow(Record):
    first: Array[np.float64]
    """witness points on the first geom [m], shape (3)"""
    second: Array[np.float64]
    """witness points on the second geom [m], shape (3)"""
    dist: Element[np.float64]
    """signed distances [m]"""

class DataFacet(Record):
    normal: Array[np.float64]
    """normals of faces around the deepest point, shape (nfacet, 3)"""
    edge: Array[np.float64]
    """directions of edges at the deepest point, shape (nfacet, 3)"""
    end: Array[np.float64]
    """end points of the edges [m], shape (nfacet, 3)"""
    id: Array[np.int32]
    """faces of the normals, shape (nfacet)"""
    vertex: Array[np.float64]
    """vertices of the touching face or edge of each geom [m], shape (nfacet, 3)"""
    polygon: Array[np.float64]
    """clipped polygon, before and after clipping by one side [m], shape (nfacet, 3)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataFacetRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataFacetRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataFacetRow(Record):
    normal: Array[np.float64]
    """normals of faces around the deepest point, shape (3)"""
    edge: Array[np.float64]
    """directions of edges at the deepest point, shape (3)"""
    end: Array[np.float64]
    """end points of the edges [m], shape (3)"""
    id: Element[np.int32]
    """faces of the normals"""
    vertex: Array[np.float64]
    """vertices of the touching face or edge of each geom [m], shape (3)"""
    polygon: Array[np.float64]
    """clipped polygon, before and after clipping by one side [m], shape (3)"""

class DataChain(Record):
    dof: Array[np.int32]
    """dofs that move one of two bodies, descending, shape (nv)"""
    side: Array[np.int32]
    """-1: the first body, 1: the second, 0: both, shape (nv)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataChainRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataChainRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataChainRow(Record):
    dof: Element[np.int32]
    """dofs that move one of two bodies, descending"""
    side: Element[np.int32]
    """-1: the first body, 1: the second, 0: both"""

class DataBare(Record):
    R: Array[np.float64]
    """for the discrete integrator: regularization in the metric M, shape (nefc)"""
    aref: Array[np.float64]
    """reference acceleration of continuous time [q/s²], shape (nefc)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataBareRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataBareRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataBareRow(Record):
    R: Element[np.float64]
    """for the discrete integrator: regularization in the metric M"""
    aref: Element[np.float64]
    """reference acceleration of continuous time [q/s²]"""

class DataInverse(Record):
    damping: Array[np.float64]
    """derivative of damper forces w.r.t. velocity, if the integrator uses it [F·s/q], shape (nv)"""
    stiffness: Array[np.float64]
    """derivative of spring forces w.r.t. position, if the integrator uses it [F/q], shape (nv)"""
    acc: Array[np.float64]
    """continuous-time acceleration, where qacc is the discrete one [q/s²], shape (nv)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataInverseRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataInverseRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataInverseRow(Record):
    damping: Element[np.float64]
    """derivative of damper forces w.r.t. velocity, if the integrator uses it [F·s/q]"""
    stiffness: Element[np.float64]
    """derivative of spring forces w.r.t. position, if the integrator uses it [F/q]"""
    acc: Element[np.float64]
    """continuous-time acceleration, where qacc is the discrete one [q/s²]"""

class DataRoll(Record):
    start: Array[np.float64]
    """initial states, in the order of STATE_FULLPHYSICS, shape (nroll, nfull)"""
    ctrl: Array[np.float64]
    """controls of each step, shape (nroll, nu)"""
    state: Array[np.float64]
    """state after each step, shape (nroll, nfull)"""
    sensordata: Array[np.float64]
    """sensor outputs of each step, shape (nroll, nsensordata)"""
    now: Array[np.float64]
    """states of environments, with qacc_warmstart: the same array as roll.start, shape (nroll, nfull)"""
    reading: Array[np.float64]
    """sensor outputs of environments, shape (nroll, nsensordata)"""
    rate: Array[np.float64]
    """acceleration by which velocities are to be updated; 0 for those that stay [q/s²], shape (nroll, nv)"""
    mark: Array[np.int32]
    """bits of FRESH, MOVING, STOPPED, shape (nroll)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataRollRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataRollRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataRollRow(Record):
    start: Array[np.float64]
    """initial states, in the order of STATE_FULLPHYSICS, shape (nfull)"""
    ctrl: Array[np.float64]
    """controls of each step, shape (nu)"""
    state: Array[np.float64]
    """state after each step, shape (nfull)"""
    sensordata: Array[np.float64]
    """sensor outputs of each step, shape (nsensordata)"""
    now: Array[np.float64]
    """states of environments, with qacc_warmstart: the same array as roll.start, shape (nfull)"""
    reading: Array[np.float64]
    """sensor outputs of environments, shape (nsensordata)"""
    rate: Array[np.float64]
    """acceleration by which velocities are to be updated; 0 for those that stay [q/s²], shape (nv)"""
    mark: Element[np.int32]
    """bits of FRESH, MOVING, STOPPED"""

class DataFd(Record):
    input: Array[np.int32]
    """perturbed inputs, descending: state components, then controls, shape (ninput)"""
    next: Array[np.float64]
    """next state and sensors: unperturbed, perturbed in either direction, shape (3, nnext)"""
    M: Array[np.float64]
    """unperturbed inertia matrix, shape (nC)"""
    inertia: Array[np.float64]
    """derivatives of the inertia matrix w.r.t. position, shape (nfd, nC)"""
    column: Array[np.float64]
    """derivatives of the next state and sensors w.r.t. each input, shape (nfd, nslope)"""

class DataSolver(Record):
    improvement: Array[np.float64]
    """cost reduction, by island and iteration, shape (4000)"""
    gradient: Array[np.float64]
    """norm of the gradient, shape (4000)"""
    lineslope: Array[np.float64]
    """final slope of the line search, shape (4000)"""
    nactive: Array[np.int32]
    """number of active rows, shape (4000)"""
    nchange: Array[np.int32]
    """number of rows that changed state, shape (4000)"""
    neval: Array[np.int32]
    """number of cost evaluations in the line search, shape (4000)"""
    nupdate: Array[np.int32]
    """number of rank-one updates of the factor, shape (4000)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataSolverRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataSolverRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataSolverRow(Record):
    improvement: Element[np.float64]
    """cost reduction, by island and iteration"""
    gradient: Element[np.float64]
    """norm of the gradient"""
    lineslope: Element[np.float64]
    """final slope of the line search"""
    nactive: Element[np.int32]
    """number of active rows"""
    nchange: Element[np.int32]
    """number of rows that changed state"""
    neval: Element[np.int32]
    """number of cost evaluations in the line search"""
    nupdate: Element[np.int32]
    """number of rank-one updates of the factor"""

class DataBlock(Record):
    nv: int
    """current solve, an island or everything: number of dofs"""
    ne: int
    """number of equality rows"""
    nf: int
    """number of friction rows"""
    nefc: int
    """number of rows"""
    ncone: int
    """number of elliptic contacts"""
    nactive: int
    """number of active rows"""
    nmiddle: int
    """number of rows of contacts in the middle zone of their cone"""
    nJ: int
    """number of entries of J"""
    scale: float
    """scaling of cost and gradient: 1 / inertia"""
    gradient: float
    """norm of the final gradient; 0: the solver uses none"""
    row: Array[np.int32]
    """row of the block -> row of efc_*, shape (nefc)"""
    dof: Array[np.int32]
    """dof of the block -> dof, shape (nv)"""
    at: Array[np.int32]
    """dof -> dof of the block, shape (nv)"""
    J: Array[np.float64]
    """constraint Jacobian, shape (nJ)"""
    J_rownnz: Array[np.int32]
    """nonzeros in a row, shape (nefc)"""
    J_rowadr: Array[np.int32]
    """first entry of a row, shape (nefc)"""
    J_colind: Array[np.int32]
    """column indices, shape (nJ)"""
    M: Array[np.float64]
    """inertia matrix, lower triangle by rows, shape (nC)"""
    qLD: Array[np.float64]
    """its LᵀDL factorization, shape (nC)"""
    qLDiagInv: Array[np.float64]
    """inverse of the diagonal of D, shape (nv)"""
    M_rownnz: Array[np.int32]
    """nonzeros in a row of the inertia matrix, shape (nv)"""
    M_rowadr: Array[np.int32]
    """first entry of a row, shape (nv)"""
    M_colind: Array[np.int32]
    """column indices, shape (nC)"""
    D: Array[np.float64]
    """efc_D, shape (nefc)"""
    D_unilateral: Array[np.float64]
    """efc_D of unilateral rows, 0 for others, shape (nefc)"""
    R: Array[np.float64]
    """efc_R, shape (nefc)"""
    floss: Array[np.float64]
    """efc_frictionloss [F], shape (nefc)"""
    aref: Array[np.float64]
    """efc_aref [q/s²], shape (nefc)"""
    force: Array[np.float64]
    """efc_force [F], shape (nefc)"""
    state: Array[np.int32]
    """efc_state, shape (nefc)"""
    old_state: Array[np.int32]
    """efc_state of the previous iteration, shape (nefc)"""
    cone: Array[np.int32]
    """first row of each elliptic contact, shape (nefc)"""
    contact: Array[np.int32]
    """contact of each elliptic contact, shape (nefc)"""
    smooth: Array[np.float64]
    """qfrc_smooth [F], shape (nv)"""
    acc_smooth: Array[np.float64]
    """qacc_smooth [q/s²], shape (nv)"""
    acc: Array[np.float64]
    """qacc [q/s²], shape (nv)"""
    qfrc_constraint: Array[np.float64]
    """qfrc_constraint [F], shape (nv)"""
    jar: Array[np.float64]
    """J qacc - efc_aref [q/s²], shape (nefc)"""
    jv: Array[np.float64]
    """J search, shape (nefc)"""
    ma: Array[np.float64]
    """M qacc [F], shape (nv)"""
    mv: Array[np.float64]
    """M search, shape (nv)"""
    grad: Array[np.float64]
    """gradient of the cost [F], shape (nv)"""
    step: Array[np.float64]
    """preconditioned gradient: M⁻¹ or Hessian⁻¹ times the gradient [q/s²], shape (nv)"""
    search: Array[np.float64]
    """search direction [q/s²], shape (nv)"""
    spare: Array[np.float64]
    """scratch vector, shape (nv)"""
    cone_line: Array[np.float64]
    """coefficients of an elliptic contact's cost along the search direction, shape (nefc, 10)"""
    old_grad: Array[np.float64]
    """gradient of the previous iteration [F], shape (nv)"""
    old_step: Array[np.float64]
    """preconditioned gradient of the previous iteration [q/s²], shape (nv)"""

class DataLine(Record):
    slope: float
    """line search: final slope"""
    gain: float
    """cost reduction"""
    neval: int
    """number of evaluations"""
    linear: float
    """initial slope of the quadratic part"""
    square: float
    """curvature of the quadratic part"""
    cone_cost: float
    """elliptic contacts at a point: cost"""
    cone_slope: float
    """slope"""
    cone_curvature: float
    """curvature"""

class DataMetric(Record):
    M: Array[np.float64]
    """discrete integrator: M + h D + h² K within the pattern of M, shape (nC)"""
    qLD: Array[np.float64]
    """LᵀDL factorization of metric.M, with the diagonal of what couples dofs, shape (nC)"""
    qLDiagInv: Array[np.float64]
    """inverse of its diagonal of D, shape (nv)"""
    shift: Array[np.float64]
    """h K qvel [F], shape (nv)"""
    extra: Array[np.float64]
    """diagonal of the terms that couple dofs, shape (nv)"""
    tendon: Array[np.float64]
    """h b + h² k of a tendon that couples dofs, else 0, shape (ntendon)"""
    actuator: Array[np.float64]
    """the same of an output of an actuator, shape (nout)"""
    ncouple: int
    """number of terms that couple dofs"""

class DataFactor(Record):
    L: Array[np.float64]
    """Hessian, then its Cholesky factor, shape (nL)"""
    nupdate: int
    """number of rank-one updates in the last iteration"""
    ngroup: int
    """number of groups (supernodes): consecutive dofs with the same row pattern"""
    group: Array[np.int32]
    """group of a dof, shape (nv)"""
    first: Array[np.int32]
    """first dof of a group, shape (nv)"""
    width: Array[np.int32]
    """number of dofs of a group, shape (nv)"""
    row: Array[np.int64]
    """address of the group's first row in the factor, shape (nv)"""
    stride: Array[np.int32]
    """length of its rows, shape (nv)"""
    nbelow: Array[np.int32]
    """number of earlier groups coupled to it, shape (nv)"""
    below_adr: Array[np.int32]
    """first of them in the list, shape (nv)"""
    below: Array[np.int32]
    """list of these groups, ascending, shape (nL)"""
    offset: Array[np.int32]
    """offsets of their columns in the rows, shape (nL)"""
    child: Array[np.int32]
    """first child in the elimination tree, or -1, shape (nv)"""
    sibling: Array[np.int32]
    """next sibling in the elimination tree, shape (nv)"""
    bundle: Array[np.int32]
    """first bundle of rows of J whose last group this is, or -1, shape (nv)"""
    mark: Array[np.int64]
    """bit set of groups, 32 per entry, shape (nv)"""
    match_from: Array[np.int32]
    """common runs of two rows: start in the first, shape (nv)"""
    match_to: Array[np.int32]
    """start in the second, shape (nv)"""
    match_length: Array[np.int32]
    """length, shape (nv)"""
    line: Array[np.float64]
    """scratch: a vector gathered by the columns of a row, shape (nv)"""

class DataBundle(Record):
    count: int
    """number of bundles: up to four rows of J with the same columns"""
    row: Array[np.int32]
    """first row, shape (nefc)"""
    size: Array[np.int32]
    """number of rows, shape (nefc)"""
    again: Array[np.int32]
    """columns are those of the previous bundle, shape (nefc)"""
    nrun: Array[np.int32]
    """number of column runs, each within one group, shape (nefc)"""
    run_adr: Array[np.int32]
    """first run, shape (nefc)"""
    next: Array[np.int32]
    """next bundle with the same last group, or -1, shape (nefc)"""

class DataRun(Record):
    group: Array[np.int32]
    """group of the run, shape (nJ)"""
    first: Array[np.int32]
    """first column, relative to the group, shape (nJ)"""
    length: Array[np.int32]
    """number of columns, shape (nJ)"""
    at: Array[np.int32]
    """offset in the row of J, shape (nJ)"""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DataRunRow]: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> DataRunRow: ...
    @overload
    def __getitem__(self, row: slice) -> Self: ...

class DataRunRow(Record):
    group: Element[np.int32]
    """group of the run"""
    first: Element[np.int32]
    """first column, relative to the group"""
    length: Element[np.int32]
    """number of columns"""
    at: Element[np.int32]
    """offset in the row of J"""

class DataDual(Record):
    Y: Array[np.float64]
    """J M^-½ by rows: Y Yᵀ is J M⁻¹ Jᵀ, shape (nY)"""
    Y_rownnz: Array[np.int32]
    """nonzeros in a row, shape (nefc)"""
    Y_rowadr: Array[np.int32]
    """first entry of a row, shape (nefc)"""
    Y_colind: Array[np.int32]
    """column indices, shape (nY)"""
    A: Array[np.float64]
    """diagonal block of Y Yᵀ: a row with the rows of its contact, shape (nefc, 6)"""
    inverse: Array[np.float64]
    """inverse of the diagonal of A + R, shape (nefc)"""
    full: int
    """Y Yᵀ is stored explicitly"""
    full_A: Array[np.float64]
    """Y Yᵀ, by rows, shape (nY)"""
    w: Array[np.float64]
    """Y Yᵀ force, if Y Yᵀ is stored [q/s²], shape (nefc)"""
    old_w: Array[np.float64]
    """the same in the previous iteration [q/s²], shape (nefc)"""
    b: Array[np.float64]
    """efc_b [q/s²], shape (nefc)"""
    z: Array[np.float64]
    """Yᵀ force, shape (nv)"""
    old_z: Array[np.float64]
    """the same in the previous iteration, shape (nv)"""
    old_force: Array[np.float64]
    """force in the previous iteration [F], shape (nefc)"""
    start_force: Array[np.float64]
    """force at the start of the sweep [F], shape (nefc)"""
    contact: Array[np.int32]
    """contact of the first row of an elliptic contact, else -1, shape (nefc)"""
    order: Array[np.int32]
    """first rows of the blocks, in the order of the sweep, shape (nefc)"""
    mark: Array[np.int32]
    """last row in which a column occurred, shape (nv)"""
    before: Array[np.float64]
    """one contact being solved: forces before [F], shape (6)"""
    residual: Array[np.float64]
    """residual acceleration of these forces [q/s²], shape (6)"""
    matrix: Array[np.float64]
    """J M⁻¹ Jᵀ of its friction rows, shape (36)"""
    factor: Array[np.float64]
    """factor of the shifted matrix, shape (36)"""
    offset: Array[np.float64]
    """acceleration without friction [q/s²], shape (6)"""
    point: Array[np.float64]
    """friction forces [F], shape (6)"""
    slope: Array[np.float64]
    """derivative of the friction forces w.r.t. the shift, shape (6)"""

class DataDeriv(Record):
    cursor: Array[np.int32]
    """next entry of each row, while qDeriv or qLU is filled, shape (nv)"""
    drag: Array[np.float64]
    """derivative of the subtree's fluid force w.r.t. its velocity, shape (nbody, 36)"""
    gyroscopic: Array[np.float64]
    """derivative of the subtree's gyroscopic torque w.r.t. angular velocity, shape (nbody, 9)"""
    momentum: Array[np.float64]
    """twice the linear momentum of the subtree, shape (nbody, 3)"""
    rate: Array[np.float64]
    """derivative of the subtree's acceleration w.r.t. the dof's velocity, shape (nv, 6)"""
    block: Array[np.float64]
    """6x6 system of a free body, right-hand side in the last column, shape (6, 7)"""

class DataStage(Record):
    qvel: Array[np.float64]
    """velocity of each Runge-Kutta stage [q/s], shape (nv, 4)"""
    qacc: Array[np.float64]
    """acceleration of each Runge-Kutta stage [q/s²], shape (nv, 4)"""
    act_dot: Array[np.float64]
    """activation derivative of each Runge-Kutta stage, shape (na, 4)"""

class DataBody(ElementView):
    """One body of Data."""

    awake: Array[np.int32]
    """sleep state: 1: awake (always for mocap bodies); 0: asleep; -1: static, shape (1)"""
    awake_ind: Array[np.int32]
    """indices of awake and static bodies, ascending, shape (1)"""
    xfrc_applied: Array[np.float64]
    """applied Cartesian force and torque at each body's centre of mass [N,N·m], shape (6)"""
    parent_awake_ind: Array[np.int32]
    """indices of bodies whose parent is awake or static, ascending, shape (1)"""
    xpos: Array[np.float64]
    """position of the body frame [m], shape (3)"""
    xquat: Array[np.float64]
    """orientation of the body frame, as a quaternion, shape (4)"""
    xmat: Array[np.float64]
    """orientation of the body frame, as a matrix, shape (9)"""
    xipos: Array[np.float64]
    """centre of mass of the body [m], shape (3)"""
    xiquat: Array[np.float64]
    """orientation of the body's principal axes, as a quaternion, shape (4)"""
    ximat: Array[np.float64]
    """orientation of the body's principal axes, as a matrix, shape (9)"""
    subtree_com: Array[np.float64]
    """centre of mass of the subtree [m], shape (3)"""
    cinert: Array[np.float64]
    """inertia about the tree's centre of mass: xx yy zz xy xz yz, m·r, m, shape (10)"""
    cvel: Array[np.float64]
    """velocity of the body about the tree's centre of mass: angular, linear, shape (6)"""
    crb: Array[np.float64]
    """composite inertia of the subtree, as one rigid body, shape (10)"""
    rne_acceleration: Array[np.float64]
    """body accelerations of the current pass, shape (6)"""
    rne_force: Array[np.float64]
    """subtree forces of the current pass, shape (6)"""
    cacc: Array[np.float64]
    """acceleration of the body, including gravity, shape (6)"""
    cfrc_int: Array[np.float64]
    """interaction force with the parent, shape (6)"""
    cfrc_ext: Array[np.float64]
    """external force on the body, shape (6)"""
    subtree_linvel: Array[np.float64]
    """linear velocity of the subtree's centre of mass [m/s], shape (3)"""
    subtree_angmom: Array[np.float64]
    """angular momentum of the subtree about its centre of mass [kg·m²/s], shape (3)"""

class DataJoint(ElementView):
    """One joint of Data."""

    awake_ind: Array[np.int32]
    """indices of awake dofs, ascending, shape (...)"""
    island: Array[np.int32]
    """island of the dof, or -1, shape (...)"""
    qpos: Array[np.float64]
    """generalized coordinates [q], shape (...)"""
    qvel: Array[np.float64]
    """generalized velocities [q/s], shape (...)"""
    qacc_warmstart: Array[np.float64]
    """warm start of the solver: acceleration of the previous step [q/s²], shape (...)"""
    qfrc_applied: Array[np.float64]
    """applied generalized force [F], shape (...)"""
    checkpoint_qpos: Array[np.float64]
    """qpos before the current step [q], shape (...)"""
    checkpoint_qvel: Array[np.float64]
    """qvel before the current step [q/s], shape (...)"""
    checkpoint_warmstart: Array[np.float64]
    """qacc_warmstart before the current step [q/s²], shape (...)"""
    start_qpos: Array[np.float64]
    """qpos at the start of the step [q], shape (...)"""
    start_qvel: Array[np.float64]
    """qvel at the start of the step [q/s], shape (...)"""
    xanchor: Array[np.float64]
    """joint anchor [m], shape (3)"""
    xaxis: Array[np.float64]
    """joint axis, shape (3)"""
    cdof: Array[np.float64]
    """motion axis of the dof about the tree's centre of mass: angular, linear, shape (..., 6)"""
    cdof_dot: Array[np.float64]
    """time derivative of cdof, shape (..., 6)"""
    tendon_arm: Array[np.float64]
    """moment arms of the current tendon, dense, shape (...)"""
    qLDiagInv: Array[np.float64]
    """inverse of the diagonal of D, shape (...)"""
    qHDiagInv: Array[np.float64]
    """inverse of its diagonal of D, shape (...)"""
    qfrc_bias: Array[np.float64]
    """bias force: Coriolis, centrifugal, gravity [F], shape (...)"""
    qfrc_rne: Array[np.float64]
    """inverse dynamics of qacc without armature: M qacc + qfrc_bias [F], shape (...)"""
    qfrc_spring: Array[np.float64]
    """spring force [F], shape (...)"""
    qfrc_damper: Array[np.float64]
    """damper force [F], shape (...)"""
    qfrc_gravcomp: Array[np.float64]
    """gravity compensation force [F], shape (...)"""
    qfrc_passive: Array[np.float64]
    """total passive force [F], shape (...)"""
    qfrc_fluid: Array[np.float64]
    """fluid force [F], shape (...)"""
    qfrc_adhesion: Array[np.float64]
    """adhesion force of contacts [F], shape (...)"""
    qfrc_actuator: Array[np.float64]
    """actuator force on the dofs [F], shape (...)"""
    qfrc_pull: Array[np.float64]
    """force on the actuator while its length range is computed [F], shape (...)"""
    plastic: Array[np.float64]
    """rest of plastic springs: coordinates of joints, length ranges of tendons, shape (...)"""
    checkpoint_plastic: Array[np.float64]
    """plastic before the current step, shape (...)"""
    qfrc_smooth: Array[np.float64]
    """total force without constraints [F], shape (...)"""
    qacc_smooth: Array[np.float64]
    """unconstrained acceleration [q/s²], shape (...)"""
    diagonal_row: Array[np.float64]
    """scratch: L⁻¹ times a row of efc_J, for efc_diagA, shape (...)"""
    map_dof2idof: Array[np.int32]
    """dof -> index in map_idof2dof, shape (...)"""
    map_idof2dof: Array[np.int32]
    """dofs grouped by island, unconstrained ones last, shape (...)"""
    qfrc_inverse: Array[np.float64]
    """inverse dynamics: net external force that produces qacc [F], shape (...)"""
    qfrc_constraint: Array[np.float64]
    """constraint force [F], shape (...)"""
    step_acc: Array[np.float64]
    """discrete acceleration, saved while qacc is the continuous one [q/s²], shape (...)"""
    qacc: Array[np.float64]
    """generalized acceleration [q/s²], shape (...)"""
    qacc_step: Array[np.float64]
    """acceleration applied by the step [q/s²], shape (...)"""
    qvel_step: Array[np.float64]
    """velocity applied by the step or by one of its stages [q/s], shape (...)"""

class DataGeom(ElementView):
    """One geom of Data."""

    xpos: Array[np.float64]
    """position of the geom [m], shape (3)"""
    xquat: Array[np.float64]
    """orientation of the geom, as a quaternion, shape (4)"""
    xmat: Array[np.float64]
    """orientation of the geom, as a matrix, shape (9)"""

class DataSite(ElementView):
    """One site of Data."""

    xpos: Array[np.float64]
    """position of the site [m], shape (3)"""
    xquat: Array[np.float64]
    """orientation of the site, as a quaternion, shape (4)"""
    xmat: Array[np.float64]
    """orientation of the site, as a matrix, shape (9)"""

class DataCamera(ElementView):
    """One camera of Data."""

    xpos: Array[np.float64]
    """position of the camera [m], shape (3)"""
    xmat: Array[np.float64]
    """orientation of the camera, which looks along -z, shape (9)"""

class DataLight(ElementView):
    """One light of Data."""

    xpos: Array[np.float64]
    """position of the light [m], shape (3)"""
    xdir: Array[np.float64]
    """direction of the light, shape (3)"""

class DataMesh(ElementView):
    """One mesh of Data."""

class DataSkin(ElementView):
    """One skin of Data."""

class DataHfield(ElementView):
    """One hfield of Data."""

class DataTexture(ElementView):
    """One texture of Data."""

class DataMaterial(ElementView):
    """One material of Data."""

class DataPair(ElementView):
    """One pair of Data."""

class DataExclude(ElementView):
    """One exclude of Data."""

class DataEquality(ElementView):
    """One equality of Data."""

    active: Array[np.bool_]
    """equality constraint is active, shape (1)"""

class DataTendon(ElementView):
    """One tendon of Data."""

    tension: Array[np.float64]
    """force along the tendon, by whatever acts on it [N], shape (1)"""
    actuator_force: Array[np.float64]
    """total actuator force on the tendon before clamping [N], shape (1)"""
    efcadr: Array[np.int32]
    """first constraint row of the tendon, or -1, shape (1)"""
    length: Array[np.float64]
    """length of the tendon [m], shape (1)"""
    velocity: Array[np.float64]
    """velocity of the tendon [m/s], shape (1)"""
    J: Array[np.float64]
    """tendon Jacobian: moment arms, shape (...)"""
    wrapadr: Array[np.int32]
    """first point of the path, shape (1)"""
    wrapnum: Array[np.int32]
    """number of path points, shape (1)"""
    start_ten_length: Array[np.float64]
    """ten_length at the start of the step, for plastic springs in RK4 [m], shape (1)"""
    start_ten_J: Array[np.float64]
    """ten_J at the start of the step, shape (...)"""
    plastic: Array[np.float64]
    """rest of plastic springs: coordinates of joints, length ranges of tendons, shape (...)"""
    checkpoint_plastic: Array[np.float64]
    """plastic before the current step, shape (...)"""

class DataActuator(ElementView):
    """One actuator of Data."""

    length: Array[np.float64]
    """actuator length: transmission length times gear, shape (...)"""
    velocity: Array[np.float64]
    """actuator velocity, shape (...)"""
    input: Array[np.float64]
    """controls in effect: delayed, clamped, all zero if one is not finite, shape (...)"""
    force: Array[np.float64]
    """actuator force [F], shape (...)"""
    ctrl: Array[np.float64]
    """controls, shape (...)"""
    checkpoint_ctrl: Array[np.float64]
    """ctrl before the current step, shape (...)"""
    moment_rownnz: Array[np.int32]
    """actuator moment: nonzeros in a row, shape (...)"""
    moment_rowadr: Array[np.int32]
    """actuator moment: first entry of a row, shape (...)"""
    start_actuator_length: Array[np.float64]
    """actuator_length at the start of the step, for states of actuators in RK4, shape (...)"""
    start_actuator_velocity: Array[np.float64]
    """actuator_velocity at the start of the step, shape (...)"""

class DataSensor(ElementView):
    """One sensor of Data."""

    data: Array[np.float64]
    """sensor outputs, shape (...)"""

class DataNumeric(ElementView):
    """One numeric of Data."""

class DataText(ElementView):
    """One text of Data."""

class DataTuple(ElementView):
    """One tuple of Data."""

class DataKey(ElementView):
    """One key of Data."""

class DataFields:
    time: float
    """simulation time [s]"""
    qpos: Array[np.float64]
    """generalized coordinates [q], shape (nq)"""
    qvel: Array[np.float64]
    """generalized velocities [q/s], shape (nv)"""
    act: Array[np.float64]
    """actuator activations, shape (na)"""
    qacc_warmstart: Array[np.float64]
    """warm start of the solver: acceleration of the previous step [q/s²], shape (nv)"""
    ctrl: Array[np.float64]
    """controls, shape (nu)"""
    qfrc_applied: Array[np.float64]
    """applied generalized force [F], shape (nv)"""
    xfrc_applied: Array[np.float64]
    """applied Cartesian force and torque at each body's centre of mass [N,N·m], shape (nbody, 6)"""
    mocap_pos: Array[np.float64]
    """positions of mocap bodies [m], shape (nmocap, 3)"""
    mocap_quat: Array[np.float64]
    """orientations of mocap bodies, shape (nmocap, 4)"""
    userdata: Array[np.float64]
    """user data, shape (nuserdata)"""
    eq_active: Array[np.bool_]
    """equality constraint is active, shape (neq)"""
    checkpoint_open: int
    """1: a step is in progress, or was interrupted by an exception"""
    checkpoint_time: float
    """time before the current step [s]"""
    checkpoint_qpos: Array[np.float64]
    """qpos before the current step [q], shape (nq)"""
    checkpoint_qvel: Array[np.float64]
    """qvel before the current step [q/s], shape (nv)"""
    checkpoint_act: Array[np.float64]
    """act before the current step, shape (na)"""
    checkpoint_warmstart: Array[np.float64]
    """qacc_warmstart before the current step [q/s²], shape (nv)"""
    checkpoint_ctrl: Array[np.float64]
    """ctrl before the current step, shape (nu)"""
    start_time: float
    """time at the start of the step, for the stages of the integrator [s]"""
    start_qpos: Array[np.float64]
    """qpos at the start of the step [q], shape (nq)"""
    start_qvel: Array[np.float64]
    """qvel at the start of the step [q/s], shape (nv)"""
    start_act: Array[np.float64]
    """act at the start of the step, shape (na)"""
    ntree_awake: int
    """number of awake trees"""
    nbody_awake: int
    """number of awake and static bodies"""
    nparent_awake: int
    """number of bodies whose parent is awake or static"""
    nv_awake: int
    """number of awake dofs"""
    tree_asleep: Array[np.int32]
    """awake: negative countdown to -1, ready; asleep: next tree of its cycle, shape (ntree)"""
    tree_awake: Array[np.int32]
    """tree is awake, shape (ntree)"""
    body_awake: Array[np.int32]
    """sleep state: 1: awake (always for mocap bodies); 0: asleep; -1: static, shape (nbody)"""
    body_awake_ind: Array[np.int32]
    """indices of awake and static bodies, ascending, shape (nbody)"""
    parent_awake_ind: Array[np.int32]
    """indices of bodies whose parent is awake or static, ascending, shape (nbody)"""
    dof_awake_ind: Array[np.int32]
    """indices of awake dofs, ascending, shape (nv)"""
    tree_wakecause: Array[np.int32]
    """last cause of waking (WAKE_*), and the id of the element, shape (ntree, 2)"""
    tree_restless: Array[np.int32]
    """reason why the tree is awake (AWAKE_*), and the id of the element, shape (ntree, 2)"""
    checkpoint_asleep: Array[np.int32]
    """tree_asleep before the current step, shape (ntree)"""
    checkpoint_wakecause: Array[np.int32]
    """tree_wakecause before the current step, shape (ntree, 2)"""
    xpos: Array[np.float64]
    """position of the body frame [m], shape (nbody, 3)"""
    xquat: Array[np.float64]
    """orientation of the body frame, as a quaternion, shape (nbody, 4)"""
    xmat: Array[np.float64]
    """orientation of the body frame, as a matrix, shape (nbody, 9)"""
    xipos: Array[np.float64]
    """centre of mass of the body [m], shape (nbody, 3)"""
    xiquat: Array[np.float64]
    """orientation of the body's principal axes, as a quaternion, shape (nbody, 4)"""
    ximat: Array[np.float64]
    """orientation of the body's principal axes, as a matrix, shape (nbody, 9)"""
    xanchor: Array[np.float64]
    """joint anchor [m], shape (njnt, 3)"""
    xaxis: Array[np.float64]
    """joint axis, shape (njnt, 3)"""
    geom_xpos: Array[np.float64]
    """position of the geom [m], shape (ngeom, 3)"""
    geom_xquat: Array[np.float64]
    """orientation of the geom, as a quaternion, shape (ngeom, 4)"""
    geom_xmat: Array[np.float64]
    """orientation of the geom, as a matrix, shape (ngeom, 9)"""
    site_xpos: Array[np.float64]
    """position of the site [m], shape (nsite, 3)"""
    site_xquat: Array[np.float64]
    """orientation of the site, as a quaternion, shape (nsite, 4)"""
    site_xmat: Array[np.float64]
    """orientation of the site, as a matrix, shape (nsite, 9)"""
    cam_xpos: Array[np.float64]
    """position of the camera [m], shape (ncam, 3)"""
    cam_xmat: Array[np.float64]
    """orientation of the camera, which looks along -z, shape (ncam, 9)"""
    light_xpos: Array[np.float64]
    """position of the light [m], shape (nlight, 3)"""
    light_xdir: Array[np.float64]
    """direction of the light, shape (nlight, 3)"""
    subtree_com: Array[np.float64]
    """centre of mass of the subtree [m], shape (nbody, 3)"""
    cinert: Array[np.float64]
    """inertia about the tree's centre of mass: xx yy zz xy xz yz, m·r, m, shape (nbody, 10)"""
    cdof: Array[np.float64]
    """motion axis of the dof about the tree's centre of mass: angular, linear, shape (nv, 6)"""
    cvel: Array[np.float64]
    """velocity of the body about the tree's centre of mass: angular, linear, shape (nbody, 6)"""
    cdof_dot: Array[np.float64]
    """time derivative of cdof, shape (nv, 6)"""
    ten_length: Array[np.float64]
    """length of the tendon [m], shape (ntendon)"""
    ten_velocity: Array[np.float64]
    """velocity of the tendon [m/s], shape (ntendon)"""
    ten_J: Array[np.float64]
    """tendon Jacobian: moment arms, shape (nJten)"""
    ten_wrapadr: Array[np.int32]
    """first point of the path, shape (ntendon)"""
    ten_wrapnum: Array[np.int32]
    """number of path points, shape (ntendon)"""
    wrap_obj: Array[np.int32]
    """geom of each path point; -1: site, -2: pulley, shape (nwrap, 2)"""
    wrap_xpos: Array[np.float64]
    """positions of all path points, two per row [m], shape (nwrap, 6)"""
    tendon_arm: Array[np.float64]
    """moment arms of the current tendon, dense, shape (nv)"""
    start_ten_length: Array[np.float64]
    """ten_length at the start of the step, for plastic springs in RK4 [m], shape (ntendon)"""
    start_ten_J: Array[np.float64]
    """ten_J at the start of the step, shape (nJten)"""
    crb: Array[np.float64]
    """composite inertia of the subtree, as one rigid body, shape (nbody, 10)"""
    M: Array[np.float64]
    """inertia matrix, lower triangle by rows, shape (nC)"""
    qLD: Array[np.float64]
    """its LᵀDL factorization, shape (nC)"""
    qLDiagInv: Array[np.float64]
    """inverse of the diagonal of D, shape (nv)"""
    qH: Array[np.float64]
    """LᵀDL factorization of M + h·damping, shape (nC)"""
    qHDiagInv: Array[np.float64]
    """inverse of its diagonal of D, shape (nv)"""
    qfrc_bias: Array[np.float64]
    """bias force: Coriolis, centrifugal, gravity [F], shape (nv)"""
    qfrc_rne: Array[np.float64]
    """inverse dynamics of qacc without armature: M qacc + qfrc_bias [F], shape (nv)"""
    rne_acceleration: Array[np.float64]
    """body accelerations of the current pass, shape (nbody, 6)"""
    rne_force: Array[np.float64]
    """subtree forces of the current pass, shape (nbody, 6)"""
    cacc: Array[np.float64]
    """acceleration of the body, including gravity, shape (nbody, 6)"""
    cfrc_int: Array[np.float64]
    """interaction force with the parent, shape (nbody, 6)"""
    cfrc_ext: Array[np.float64]
    """external force on the body, shape (nbody, 6)"""
    flg_rnepost: bool
    """cacc, cfrc_int and cfrc_ext are up to date"""
    tendon_tension: Array[np.float64]
    """force along the tendon, by whatever acts on it [N], shape (ntendon)"""
    subtree_linvel: Array[np.float64]
    """linear velocity of the subtree's centre of mass [m/s], shape (nbody, 3)"""
    subtree_angmom: Array[np.float64]
    """angular momentum of the subtree about its centre of mass [kg·m²/s], shape (nbody, 3)"""
    flg_subtreevel: bool
    """subtree_linvel and subtree_angmom are up to date"""
    qfrc_spring: Array[np.float64]
    """spring force [F], shape (nv)"""
    qfrc_damper: Array[np.float64]
    """damper force [F], shape (nv)"""
    qfrc_gravcomp: Array[np.float64]
    """gravity compensation force [F], shape (nv)"""
    qfrc_passive: Array[np.float64]
    """total passive force [F], shape (nv)"""
    qfrc_fluid: Array[np.float64]
    """fluid force [F], shape (nv)"""
    qfrc_adhesion: Array[np.float64]
    """adhesion force of contacts [F], shape (nv)"""
    energy: Array[np.float64]
    """potential and kinetic energy [J], shape (2)"""
    flg_energypos: bool
    """the potential energy is up to date"""
    actuator_length: Array[np.float64]
    """actuator length: transmission length times gear, shape (nout)"""
    moment_rownnz: Array[np.int32]
    """actuator moment: nonzeros in a row, shape (nout)"""
    moment_rowadr: Array[np.int32]
    """actuator moment: first entry of a row, shape (nout)"""
    moment_colind: Array[np.int32]
    """actuator moment: column indices (dofs), shape (nJmom)"""
    actuator_moment: Array[np.float64]
    """moment arms: derivatives of the actuator length w.r.t. the dofs, shape (nJmom)"""
    actuator_velocity: Array[np.float64]
    """actuator velocity, shape (nout)"""
    start_actuator_length: Array[np.float64]
    """actuator_length at the start of the step, for states of actuators in RK4, shape (nout)"""
    start_actuator_velocity: Array[np.float64]
    """actuator_velocity at the start of the step, shape (nout)"""
    actuator_input: Array[np.float64]
    """controls in effect: delayed, clamped, all zero if one is not finite, shape (nu)"""
    act_dot: Array[np.float64]
    """time derivative of the activations, shape (na)"""
    act_next: Array[np.float64]
    """activations after the step, shape (na)"""
    actuator_force: Array[np.float64]
    """actuator force [F], shape (nout)"""
    tendon_actuator_force: Array[np.float64]
    """total actuator force on the tendon before clamping [N], shape (ntendon)"""
    qfrc_actuator: Array[np.float64]
    """actuator force on the dofs [F], shape (nv)"""
    qfrc_pull: Array[np.float64]
    """force on the actuator while its length range is computed [F], shape (nv)"""
    length_pull: Array[np.float64]
    """shortest and longest length found so far, shape (2)"""
    history: Array[np.float64]
    """delay buffers: user value, newest sample, times, values, shape (nhistory)"""
    checkpoint_history: Array[np.float64]
    """delay buffers before the current step, shape (nhistory)"""
    plastic: Array[np.float64]
    """rest of plastic springs: coordinates of joints, length ranges of tendons, shape (nplastic)"""
    checkpoint_plastic: Array[np.float64]
    """plastic before the current step, shape (nplastic)"""
    nray: int
    """number of rays of a bundle"""
    sensordata: Array[np.float64]
    """sensor outputs, shape (nsensordata)"""
    qfrc_smooth: Array[np.float64]
    """total force without constraints [F], shape (nv)"""
    qacc_smooth: Array[np.float64]
    """unconstrained acceleration [q/s²], shape (nv)"""
    ncon: int
    """number of detected contacts"""
    hooked: int
    """user callbacks filter geom pairs or replace collision functions"""
    nnear: int
    """number of candidate pairs from the broad phase"""
    npolytope: int
    """number of faces, including deleted ones"""
    nfacet: int
    """always 0: capacity for touching faces of two geoms, half for each"""
    nefc: int
    """number of constraint rows"""
    efc_type: Array[np.int32]
    """constraint type, shape (nefc)"""
    efc_id: Array[np.int32]
    """id of the contact, joint, tendon or equality, shape (nefc)"""
    ne: int
    """number of equality rows, which come first"""
    nf: int
    """number of friction rows, which come second"""
    nl: int
    """number of limit rows, which come third"""
    nJ: int
    """number of entries of efc_J"""
    tendon_efcadr: Array[np.int32]
    """first constraint row of the tendon, or -1, shape (ntendon)"""
    dense_rows: int
    """number of rows of efc_J with dense column indices"""
    diagonal_row: Array[np.float64]
    """scratch: L⁻¹ times a row of efc_J, for efc_diagA, shape (nv)"""
    efc_J: Array[np.float64]
    """constraint Jacobian, shape (nJ)"""
    efc_J_rownnz: Array[np.int32]
    """constraint Jacobian: nonzeros in a row, shape (nefc)"""
    efc_J_rowadr: Array[np.int32]
    """constraint Jacobian: first entry of a row, shape (nefc)"""
    efc_J_colind: Array[np.int32]
    """constraint Jacobian: column indices (dofs), ascending, shape (nJ)"""
    efc_pos: Array[np.float64]
    """constraint residual [q], shape (nefc)"""
    efc_margin: Array[np.float64]
    """distance below which the row is active [q], shape (nefc)"""
    efc_frictionloss: Array[np.float64]
    """bound of the friction force [F], shape (nefc)"""
    efc_diagA: Array[np.float64]
    """diagonal of J M⁻¹ Jᵀ, exact or approximate, shape (nefc)"""
    efc_KBIP: Array[np.float64]
    """stiffness, damping, impedance, derivative of the impedance, shape (nefc, 4)"""
    efc_D: Array[np.float64]
    """constraint mass: 1 / R, shape (nefc)"""
    efc_R: Array[np.float64]
    """regularization: added to the diagonal of J M⁻¹ Jᵀ, shape (nefc)"""
    efc_vel: Array[np.float64]
    """velocity in constraint space [q/s], shape (nefc)"""
    efc_aref: Array[np.float64]
    """reference acceleration [q/s²], shape (nefc)"""
    nisland: int
    """number of islands: trees coupled by constraints"""
    nidof: int
    """number of dofs in all islands"""
    tree_island: Array[np.int32]
    """island of the tree, or -1, shape (ntree)"""
    island_ntree: Array[np.int32]
    """number of trees, shape (nisland)"""
    island_itreeadr: Array[np.int32]
    """first tree in map_itree2tree, shape (nisland)"""
    map_itree2tree: Array[np.int32]
    """trees grouped by island, unconstrained ones last, shape (ntree)"""
    dof_island: Array[np.int32]
    """island of the dof, or -1, shape (nv)"""
    island_nv: Array[np.int32]
    """number of dofs, shape (nisland)"""
    island_idofadr: Array[np.int32]
    """first dof in map_idof2dof, shape (nisland)"""
    island_dofadr: Array[np.int32]
    """lowest dof of the island, shape (nisland)"""
    map_dof2idof: Array[np.int32]
    """dof -> index in map_idof2dof, shape (nv)"""
    map_idof2dof: Array[np.int32]
    """dofs grouped by island, unconstrained ones last, shape (nv)"""
    efc_island: Array[np.int32]
    """island of the row, shape (nefc)"""
    island_ne: Array[np.int32]
    """number of equality rows, shape (nisland)"""
    island_nf: Array[np.int32]
    """number of friction rows, shape (nisland)"""
    island_nefc: Array[np.int32]
    """number of constraint rows, shape (nisland)"""
    island_iefcadr: Array[np.int32]
    """first row in map_iefc2efc, shape (nisland)"""
    map_efc2iefc: Array[np.int32]
    """row -> index in map_iefc2efc, shape (nefc)"""
    map_iefc2efc: Array[np.int32]
    """rows grouped by island, shape (nefc)"""
    tree_next: Array[np.int32]
    """union-find: next tree towards the root of its island; -1: in no island, shape (ntree)"""
    efc_tree: Array[np.int32]
    """one of the trees the row acts on, shape (nefc)"""
    qfrc_inverse: Array[np.float64]
    """inverse dynamics: net external force that produces qacc [F], shape (nv)"""
    solver_fwdinv: Array[np.float64]
    """forward minus inverse dynamics: constraint forces, applied forces [F], shape (2)"""
    qfrc_constraint: Array[np.float64]
    """constraint force [F], shape (nv)"""
    step_acc: Array[np.float64]
    """discrete acceleration, saved while qacc is the continuous one [q/s²], shape (nv)"""
    qacc: Array[np.float64]
    """generalized acceleration [q/s²], shape (nv)"""
    efc_b: Array[np.float64]
    """J qacc_smooth - efc_aref [q/s²], shape (nefc)"""
    efc_force: Array[np.float64]
    """constraint force in constraint space [F], shape (nefc)"""
    efc_state: Array[np.int32]
    """constraint state: satisfied, quadratic, linear below, linear above, cone, shape (nefc)"""
    solver_niter: Array[np.int32]
    """number of solver iterations, by island, shape (20)"""
    solver_nnz: Array[np.int32]
    """nonzeros of the matrix the solver works on, by island, shape (20)"""
    nL: int
    """number of entries of the Hessian's factor"""
    nY: int
    """number of entries of dual.Y"""
    qDeriv: Array[np.float64]
    """derivative of smooth forces w.r.t. velocity [F·s/q], shape (nD)"""
    qLU: Array[np.float64]
    """LU factorization of M - h qDeriv, shape (nD)"""
    qacc_step: Array[np.float64]
    """acceleration applied by the step [q/s²], shape (nv)"""
    act_dot_step: Array[np.float64]
    """activation derivative applied by the step, shape (na)"""
    qvel_step: Array[np.float64]
    """velocity applied by the step or by one of its stages [q/s], shape (nv)"""
    @property
    def perturb(self) -> DataPerturb: ...
    @property
    def warning(self) -> DataWarning: ...
    @property
    def noise(self) -> DataNoise: ...
    @property
    def required(self) -> DataRequired: ...
    @property
    def trace(self) -> DataTrace: ...
    @property
    def span(self) -> DataSpan: ...
    @property
    def sleep(self) -> DataSleep: ...
    @property
    def segment(self) -> DataSegment: ...
    @property
    def ray(self) -> DataRay: ...
    @property
    def rays(self) -> DataRays: ...
    @property
    def match(self) -> DataMatch: ...
    @property
    def contact(self) -> DataContact: ...
    @property
    def swept(self) -> DataSwept: ...
    @property
    def manifold(self) -> DataManifold: ...
    @property
    def near(self) -> DataNear: ...
    @property
    def sweep(self) -> DataSweep: ...
    @property
    def descent(self) -> DataDescent: ...
    @property
    def clip(self) -> DataClip: ...
    @property
    def solid(self) -> DataSolid: ...
    @property
    def prism(self) -> DataPrism: ...
    @property
    def simplex(self) -> DataSimplex: ...
    @property
    def polytope(self) -> DataPolytope: ...
    @property
    def witness(self) -> DataWitness: ...
    @property
    def facet(self) -> DataFacet: ...
    @property
    def chain(self) -> DataChain: ...
    @property
    def bare(self) -> DataBare: ...
    @property
    def inverse(self) -> DataInverse: ...
    @property
    def roll(self) -> DataRoll: ...
    @property
    def fd(self) -> DataFd: ...
    @property
    def solver(self) -> DataSolver: ...
    @property
    def block(self) -> DataBlock: ...
    @property
    def line(self) -> DataLine: ...
    @property
    def metric(self) -> DataMetric: ...
    @property
    def factor(self) -> DataFactor: ...
    @property
    def bundle(self) -> DataBundle: ...
    @property
    def run(self) -> DataRun: ...
    @property
    def dual(self) -> DataDual: ...
    @property
    def deriv(self) -> DataDeriv: ...
    @property
    def stage(self) -> DataStage: ...
    def body(self, key: str | SupportsIndex) -> DataBody:
        """The body with a name or an index."""
    def joint(self, key: str | SupportsIndex) -> DataJoint:
        """The joint with a name or an index."""
    def geom(self, key: str | SupportsIndex) -> DataGeom:
        """The geom with a name or an index."""
    def site(self, key: str | SupportsIndex) -> DataSite:
        """The site with a name or an index."""
    def camera(self, key: str | SupportsIndex) -> DataCamera:
        """The camera with a name or an index."""
    def light(self, key: str | SupportsIndex) -> DataLight:
        """The light with a name or an index."""
    def mesh(self, key: str | SupportsIndex) -> DataMesh:
        """The mesh with a name or an index."""
    def skin(self, key: str | SupportsIndex) -> DataSkin:
        """The skin with a name or an index."""
    def hfield(self, key: str | SupportsIndex) -> DataHfield:
        """The hfield with a name or an index."""
    def texture(self, key: str | SupportsIndex) -> DataTexture:
        """The texture with a name or an index."""
    def material(self, key: str | SupportsIndex) -> DataMaterial:
        """The material with a name or an index."""
    def pair(self, key: str | SupportsIndex) -> DataPair:
        """The pair with a name or an index."""
    def exclude(self, key: str | SupportsIndex) -> DataExclude:
        """The exclude with a name or an index."""
    def equality(self, key: str | SupportsIndex) -> DataEquality:
        """The equality with a name or an index."""
    def tendon(self, key: str | SupportsIndex) -> DataTendon:
        """The tendon with a name or an index."""
    def actuator(self, key: str | SupportsIndex) -> DataActuator:
        """The actuator with a name or an index."""
    def sensor(self, key: str | SupportsIndex) -> DataSensor:
        """The sensor with a name or an index."""
    def numeric(self, key: str | SupportsIndex) -> DataNumeric:
        """The numeric with a name or an index."""
    def text(self, key: str | SupportsIndex) -> DataText:
        """The text with a name or an index."""
    def tuple(self, key: str | SupportsIndex) -> DataTuple:
        """The tuple with a name or an index."""
    def key(self, key: str | SupportsIndex) -> DataKey:
        """The key with a name or an index."""
    def jnt(self, key: str | SupportsIndex) -> DataJoint:
        """The joint with a name or an index."""
    def cam(self, key: str | SupportsIndex) -> DataCamera:
        """The camera with a name or an index."""
    def tex(self, key: str | SupportsIndex) -> DataTexture:
        """The texture with a name or an index."""
    def mat(self, key: str | SupportsIndex) -> DataMaterial:
        """The material with a name or an index."""
    def eq(self, key: str | SupportsIndex) -> DataEquality:
        """The equality with a name or an index."""
    def ten(self, key: str | SupportsIndex) -> DataTendon:
        """The tendon with a name or an index."""
    def keyframe(self, key: str | SupportsIndex) -> DataKey:
        """The key with a name or an index."""
