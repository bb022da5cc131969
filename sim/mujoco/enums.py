"""MuJoCo's enums as classes, with the same members and values: `mjtObj.mjOBJ_BODY`.

A member is an int that knows its name, so it can be compared, combined and used as an index; results are plain ints.
Values that the engine knows come from `sim.enums`; the rest, mostly of pictures and specs, count up from 0 or from the
number that is given. `*` is all that `sim.enums` has.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sim import enums

# class, prefix of its members, members without it; `~` marks those without the prefix
TABLE = """
mjrIndexType INDEX_TYPE_ U16 U32
mjrMeshPrimitiveType MESH_PRIMITIVE_TYPE_ TRIANGLES LINES
mjrPixelFormat PIXEL_FORMAT_ UNKNOWN R8 RGB8 RGBA8 R32F DEPTH32F KTX
mjrVertexAttributeType VERTEX_ATTRIBUTE_TYPE_ FLOAT2 FLOAT3 FLOAT4 UBYTE4
mjrVertexAttributeUsage VERTEX_ATTRIBUTE_USAGE_ POSITION NORMAL TANGENTS UV COLOR
mjtActuator ACTUATOR_ GENERAL MOTOR POSITION VELOCITY INTVELOCITY DAMPER CYLINDER MUSCLE ADHESION PID ORIENTATION
    DCMOTOR
mjtAlignFree ALIGNFREE_ FALSE TRUE AUTO
mjtBias BIAS_ *
mjtBuiltin BUILTIN_ NONE GRADIENT CHECKER FLAT
mjtButton BUTTON_ NONE LEFT RIGHT MIDDLE
mjtCTimer CTIMER_ TOTAL ASSETS TEXTURE MESH_LOAD MESH_HULL MESH_POLYGON MESH_INERTIA MESH_BVH MESH_OCTREE ~NCTIMER
mjtCamLight CAMLIGHT_ *
mjtCamOutBit CAMOUT_ RGB=1 DEPTH DIST=4 NORMAL=8 SEG=16 ~NCAMOUT=5
mjtCamera CAMERA_ FREE TRACKING FIXED USER
mjtCatBit CAT_ STATIC=1 DYNAMIC DECOR=4 ALL=7
mjtColorSpace COLORSPACE_ AUTO LINEAR SRGB
mjtConDataField CONDATA_ FOUND FORCE TORQUE DIST POS NORMAL TANGENT LINVEL ANGVEL ~NCONDATA
mjtCone CONE_ *
mjtConflict CONFLICT_ WARNING MERGE ERROR
mjtConstraint CNSTR_ *
mjtConstraintState CNSTRSTATE_ *
mjtCtrlChart CHART_ *
mjtCtrlInput INPUT_ *
mjtDataType DATATYPE_ *
mjtDepthMap DEPTH_ ZERONEAR ZEROFAR
mjtDisableBit DSBL_ * ~NDISABLE=20
mjtDyn DYN_ *
mjtEmbed EMBED_ FALSE TRUE AUTO
mjtEnableBit ENBL_ OVERRIDE ENERGY FWDINV INVDISCRETE SLEEP DIAGEXACT IPC=64 SPECULATIVE ~NENABLE=8
mjtEq EQ_ *
mjtEvent EVENT_ NONE MOVE PRESS RELEASE SCROLL KEY RESIZE REDRAW FILESDROP
mjtFlexSection FLEXSECTION_ CIRCLE BOX
mjtFlexSelf FLEXSELF_ NONE NARROW BVH SAP AUTO
mjtFont FONT_ NORMAL SHADOW BIG
mjtFontScale FONTSCALE_ 50=50 100=100 150=150 200=200 250=250 300=300
mjtFrame FRAME_ NONE BODY GEOM SITE CAMERA LIGHT CONTACT WORLD ~NFRAME
mjtFramebuffer FB_ WINDOW OFFSCREEN
mjtGain GAIN_ *
mjtGeom GEOM_ * ~NGEOMTYPES ARROW=100 ARROW1 ARROW2 LINE LINEBOX FLEX SKIN LABEL TRIANGLE NONE=1001
mjtGeomInertia INERTIA_ VOLUME SHELL
mjtGridPos GRID_ TOPLEFT TOPRIGHT BOTTOMLEFT BOTTOMRIGHT TOP BOTTOM LEFT RIGHT
mjtInertiaFromGeom INERTIAFROMGEOM_ FALSE TRUE AUTO
mjtIntegrator INT_ EULER RK4 IMPLICIT IMPLICITFAST DISCRETE
mjtItem ITEM_ END=-2 SECTION SEPARATOR STATIC BUTTON CHECKINT CHECKBYTE RADIO RADIOLINE SELECT SLIDERINT SLIDERNUM
    EDITINT EDITNUM EDITFLOAT EDITTXT ~NITEM
mjtJacobian JAC_ *
mjtJoint JNT_ *
mjtLRMode LRMODE_ *
mjtLabel LABEL_ NONE BODY JOINT GEOM SITE CAMERA LIGHT TENDON ACTUATOR CONSTRAINT FLEX SKIN SELECTION SELPNT
    CONTACTPOINT CONTACTFORCE ISLAND ~NLABEL
mjtLightType LIGHT_ SPOT DIRECTIONAL POINT IMAGE
mjtLimited LIMITED_ FALSE TRUE AUTO
mjtLogLevel LOG_ DEBUG INFO WARNING ERROR
mjtLogTopic TOPIC_ NONE TIME_STP TIME_CMP SLEEP ~NTOPIC=3
mjtMark MARK_ NONE EDGE CROSS RANDOM
mjtMeshBuiltin MESH_BUILTIN_ NONE SPHERE HEMISPHERE CONE SUPERSPHERE SUPERTORUS WEDGE PLATE GRID BOX CYLINDER ELLIPSOID
    SQUARE DISC
mjtMeshInertia MESH_INERTIA_ CONVEX EXACT LEGACY SHELL
mjtMouse MOUSE_ NONE ROTATE_V ROTATE_H MOVE_V MOVE_H ZOOM MOVE_V_REL MOVE_H_REL TURN_V TURN_H
mjtObj OBJ_ * ~NOBJECT FRAME=100 DEFAULT MODEL
mjtOrientation ORIENTATION_ QUAT AXISANGLE XYAXES ZAXIS EULER
mjtPassthrough PASSTHROUGH_ NONE TEXTURES
mjtPertBit PERT_ *
mjtPluginCapabilityBit PLUGIN_ ACTUATOR=1 SENSOR PASSIVE=4 SDF=8
mjtProjection PROJ_ *
mjtRayDataField RAYDATA_ DIST DIR ORIGIN POINT NORMAL DEPTH ~NRAYDATA
mjtRndFlag RND_ SHADOW WIREFRAME REFLECTION ADDITIVE SKYBOX FOG HAZE DEPTH SEGMENT IDCOLOR CULL_FACE POST_PROCESSING
    ~NRNDFLAG
mjtSDFType SDFTYPE_ SINGLE INTERSECTION MIDSURFACE COLLISION
mjtSameFrame SAMEFRAME_ *
mjtScaling SCALING_ SIMILAR GEOMETRY
mjtSection SECT_ CLOSED OPEN FIXED
mjtSensor SENS_ *
mjtSleepPolicy SLEEP_ *
mjtSleepState S_ STATIC=-1 ASLEEP AWAKE
mjtSolver SOL_ *
mjtStage STAGE_ *
mjtState STATE_ TIME QPOS QVEL ACT HISTORY WARMSTART CTRL QFRC_APPLIED XFRC_APPLIED EQ_ACTIVE MOCAP_POS MOCAP_QUAT
    USERDATA PLUGIN PLASTIC ~NSTATE PHYSICS FULLPHYSICS USER INTEGRATION
mjtStereo STEREO_ NONE QUADBUFFERED SIDEBYSIDE
mjtTendon TENDON_ FIXED SPATIAL
mjtTexture TEXTURE_ *
mjtTextureRole TEXROLE_ USER RGB OCCLUSION ROUGHNESS METALLIC NORMAL OPACITY EMISSIVE RGBA ORM ~NTEXROLE
mjtTimer TIMER_ STEP FORWARD INVERSE POSITION VELOCITY ACTUATION CONSTRAINT ADVANCE POS_KINEMATICS POS_INERTIA
    POS_COLLISION POS_MAKE POS_PROJECT COL_BROAD COL_NARROW ~NTIMER
mjtTrn TRN_ *
mjtVisFlag VIS_ CONVEXHULL TEXTURE JOINT CAMERA ACTUATOR ACTIVATION LIGHT TENDON RANGEFINDER CONSTRAINT INERTIA
    SCLINERTIA PERTFORCE PERTOBJ CONTACTPOINT ISLAND CONTACTFORCE CONTACTSPLIT TRANSPARENT AUTOCONNECT COM SELECT STATIC
    SKIN FLEXVERT FLEXEDGE FLEXFACE FLEXSKIN BODYBVH MESHBVH SDFITER ~NVISFLAG
mjtWarning WARN_ * ~NWARNING
mjtWrap WRAP_ *
"""


class Enum(int):
    """Base of the enums: a member is made once, and found again by its value."""

    __members__: ClassVar[dict[str, Any]]
    _by_value: ClassVar[dict[int, Any]]
    name: str

    def __new__(cls, value: Any) -> Self:
        if not hasattr(value, "__index__"):
            raise TypeError(f"{cls.__name__} takes an int, not {value!r}")
        member = cls._by_value.get(int(value))
        if member is None:
            raise ValueError(f"Invalid int value for {cls.__name__}: {int(value)}")
        found: Self = member
        return found

    @property
    def value(self) -> int:
        return int(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}.{self.name}: {int(self)}>"

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __reduce__(self) -> Any:
        return getattr, (type(self), self.name)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


def _make(name: str, words: list[str]) -> type[Enum]:
    """The class with these members."""
    body: dict[str, Any] = {"__module__": __name__, "__doc__": f"MuJoCo's {name}.", "__members__": {}, "_by_value": {}}
    made: Any = type(name, (Enum,), body)
    value = -1
    for word in words:
        short, _, given = word.partition("=")
        value = getattr(enums, short, int(given) if given else value + 1)
        # two names of one value, such as a bit and a count, are one member
        member = made._by_value.get(value)
        if member is None:
            member = made._by_value[value] = int.__new__(made, value)
            member.name = "mj" + short
        made.__members__["mj" + short] = member
        setattr(made, "mj" + short, member)
    found: type[Enum] = made
    return found


def _classes() -> dict[str, type[Enum]]:
    rows: list[list[str]] = []
    for line in TABLE.strip().splitlines():
        if line.startswith(" "):
            rows[-1] += line.split()
        else:
            rows.append(line.split())
    return {
        name: _make(name, [known for word in words for known in _known(start, word)]) for name, start, *words in rows
    }


def _known(start: str, word: str) -> list[str]:
    """The members that a word stands for, without `mj`."""
    if word == "*":
        return [name for name in vars(enums) if name.startswith(start)]
    return [word.removeprefix("~") if word.startswith("~") else start + word]


CLASSES = _classes()
globals().update(CLASSES)
