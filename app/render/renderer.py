"""The renderer: draws a draw list from a view into a framebuffer, in a window or off screen.

Passes: shadow maps; the scene in each mirror, without shadows; opaque instances, planes, sky, transparent instances,
the overlay and the ghost; the outline mask; MSAA resolve, edge smoothing and the outline; then a copy to the target.
Surfaces are shaded in linear light and written tone-mapped in sRGB. A frame that has not changed is only copied again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView
from app.render.assets import Assets, GpuLists
from app.render.device import Variant, finish_without_gil, is_software, set_uniforms
from app.render.ghost import draw_ghost
from app.render.pool import GpuBatch
from app.render.quality import PRESETS, QUICK, Quality, deep_equal
from app.render.regions import Region, bounding_spheres, mirrored_spheres, outside, screen_rect, shadow_spheres
from app.render.shadow import LightCamera, ShadowMaps, shadow_region
from app.render.targets import Targets
from app.render.uniforms import (
    UNIT_CUBE,
    UNIT_MIRROR,
    UNIT_SKYBOX,
    UNIT_TEXTURE,
    UNITS_LAYER,
    UNITS_SHADOW,
    light_uniforms,
    reflected_view,
    scene_defines,
    sky_defines,
    view_uniforms,
)
from app.scene.camera import View
from app.scene.instances import ID_STEP, SHAPE, Kind, Plane
from app.scene.lights import Light
from app.scene.picking import Picked
from app.scene.scene import DrawList

CLIP_DISTANCE0, DEPTH_CLAMP = 0x3000, 0x864F
MAX_SHADOWS, MAX_MIRRORS = 4, 4
# shapes with a minimum thickness on the screen
RODS = ("capsule", "cylinder")
# opacity of the overlay behind other geoms
HIDDEN_ALPHA = 0.4
# colour of the selection's outline, sRGB
OUTLINE_COLOUR = (0.36, 0.66, 0.96)
# after this many unchanged frames the view is drawn with the best quality
STILL_FRAMES = 10


@dataclass
class _Frame:
    """State shared by the shaders of one pass; `ready` are the programs whose uniforms are set.

    `scissors` bounds, by index of the plane, where shadows and mirror images can be; a plane without an entry has them
    everywhere.
    """

    uniforms: dict[str, Any]
    defines: tuple[str, ...]
    size: tuple[int, int]
    scissors: dict[int, Region] = field(default_factory=dict)
    mirrors: dict[Plane, moderngl.Texture] = field(default_factory=dict)
    ready: set[int] = field(default_factory=set)


class Renderer:
    """Draws scenes with one GL context; `assets` are those of another renderer of the context, which owns them."""

    def __init__(self, context: moderngl.Context, quality: Quality | None = None, assets: Assets | None = None) -> None:
        self._context = context
        presets = PRESETS[PRESETS.index(QUICK) :] if is_software(context) else PRESETS
        # the best first
        self.presets = presets if quality is None else (quality,)
        self._quality = self.presets[0]
        self.assets = Assets(context) if assets is None else assets
        self._owns_assets = assets is None
        self._wait = finish_without_gil(context)
        self._targets = Targets(context)
        self._shadows = ShadowMaps(context)
        # what the frame and the shadow maps show, and for how many frames the view is unchanged
        self._shown: tuple[Any, ...] = ()
        self._shadows_shown: tuple[Any, ...] = ()
        self._unchanged = 0

    def draw(
        self,
        model: ModelView,
        scene: DrawList,
        view: View,
        target: moderngl.Framebuffer,
        viewport: tuple[int, int, int, int],
        preset: int = 0,
    ) -> bool:
        """Draw into the rectangle `viewport` (x, y from the lower left, width, height) of `target`.

        `preset` is an index into `presets`; a view that stays the same is drawn with the best one after a while.
        Returns whether the image has changed.
        """
        if min(viewport[2:]) < 1:
            return False
        content = (model.identity, int(model.vis.quality.shadowsize), viewport[2:], view, scene)
        changed = not deep_equal(content, self._shown)
        self._unchanged = 0 if changed else self._unchanged + 1
        quality = self.presets[preset if self._unchanged < STILL_FRAMES else 0]
        if changed or quality != self._quality:
            self._shown, self._quality = content, quality
            width, height = (max(round(quality.scale * length), 1) for length in viewport[2:])
            self._draw_frame(model, scene, view, (width, height))
        self._present(target, viewport)
        return changed

    @property
    def at_best_quality(self) -> bool:
        """Whether the last frame was drawn with the best preset."""
        return self._quality == self.presets[0]

    def pick(self, model: ModelView, scene: DrawList, view: View, aspect: float, x: float, y: float) -> Picked | None:
        """What is drawn at a point of the view, x and y from -1 to 1, right and up."""
        # a projection that shows only a few pixels around the point
        zoom, narrow = self._targets.id_zoom, np.eye(4)
        narrow[:2, :2], narrow[:2, 3] = zoom * np.eye(2), (-zoom * x, -zoom * y)
        matrix = narrow @ view.projection_matrix(aspect) @ view.view_matrix()
        origin, _ = view.ray(x, y, aspect)
        frame = {"u_view_projection": matrix.T, "u_eye": tuple(origin), "u_far": view.far}
        value = self._draw_ids(model, scene, frame, self._targets.ids()).reshape(-1, 2)
        code, distance = int(value[len(value) // 2, 0]), float(value[len(value) // 2, 1])
        return Picked(Kind(code // ID_STEP), code % ID_STEP, distance) if code else None

    def ids(
        self, model: ModelView, scene: DrawList, view: View, size: tuple[int, int]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The ID buffer (kind * ID_STEP + index, 0 for nothing) and the distance from the eye, m, of each pixel."""
        matrix = view.projection_matrix(size[0] / size[1]) @ view.view_matrix()
        frame = {"u_view_projection": matrix.T, "u_eye": tuple(view.eye), "u_far": view.far}
        value = self._draw_ids(model, scene, frame, self._targets.ids(size))
        return value[..., 0].astype(np.int64), value[..., 1]

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The cached shader variants."""
        return self.assets.programs.variants

    def release(self) -> None:
        """Release GPU memory."""
        self._targets.release()
        self._shadows.release()
        if self._owns_assets:
            self.assets.release()

    # passes

    def _draw_frame(self, model: ModelView, scene: DrawList, view: View, size: tuple[int, int]) -> None:
        """All passes but the last, the copy to the target."""
        self.assets.evict_programs()
        self._targets.resize(size, self._quality.samples, self._quality.mirror_scale)
        lists = self.assets.upload(model, scene)
        uniforms = view_uniforms(scene, view, size) | light_uniforms(scene)
        shadows = self._draw_shadows(model, scene, view, lists, uniforms)
        mirrors = self._draw_mirrors(scene, lists, uniforms, view)
        defines = scene_defines(scene, shadows) + self._quality.taps
        frame = _Frame(uniforms, defines, size, mirrors=mirrors)
        geoms = outlined = (0, 0, *size)
        if self._quality.scissored and not scene.deformed:
            shown = (*lists.opaque, *lists.transparent, *lists.overlay, *lists.ghost)
            geoms = screen_rect(bounding_spheres(shown), view, size)
            outlined = screen_rect(bounding_spheres(lists.outlined), view, size)
            frame.scissors = _plane_scissors(frame, lists, scene.lights[: len(shadows)], view)
        self._draw_scene(scene, lists, frame)
        self._draw_outline(lists.outlined, uniforms)
        self._postprocess(geoms, outlined if lists.outlined else None)

    def _draw_ids(
        self, model: ModelView, scene: DrawList, frame: dict[str, Any], target: moderngl.Framebuffer
    ) -> NDArray[np.float32]:
        """Id and distance of the nearest surface at each pixel, rows from top to bottom."""
        lists = self.assets.upload(model, scene)
        target.use()
        target.clear(depth=1.0)
        self._context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        # coplanar surfaces resolve as in the colour pass
        for nearer, items in (("<=", lists.opaque), ("<", (*lists.planes, *lists.transparent, *lists.overlay))):
            self._context.depth_func = nearer
            for item in items:
                plane = ("PLANE",) if item.batch.shape == "plane" else ()
                shader = self.assets.programs.get("surface.vert", "mask.frag", "IDS", *plane)
                set_uniforms(shader, frame)
                self._render(shader, item)
        width, height = target.size
        pixels = np.frombuffer(target.read(components=2, dtype="f4"), np.float32)
        return pixels.reshape(height, width, 2)[::-1]

    def _draw_shadows(
        self, model: ModelView, scene: DrawList, view: View, lists: GpuLists, uniforms: dict[str, Any]
    ) -> tuple[int, ...]:
        """Shadow maps; adds their uniforms and returns how many maps each light with shadows has."""
        lights = [light for light in scene.lights if light.shadow][:MAX_SHADOWS]
        resolution = min(int(model.vis.quality.shadowsize), self._quality.shadow_size)
        opaque, transparent = (
            [item for item in items if item.batch.casts_shadow] for items in (lists.opaque, lists.transparent)
        )
        if not (scene.shadow and lights and (opaque or transparent) and resolution >= 16):
            return ()
        regions = [shadow_region(scene.casters, light, view, scene.extent) for light in lights]
        cameras = self._shadows.fit(lights, regions, resolution)
        casters = tuple(item.batch for item in (*opaque, *transparent))
        content = (self.assets.identity, resolution, tuple(cameras), casters)
        # while only the camera moves, the maps stay valid
        if scene.deformed or not deep_equal(content, self._shadows_shown):
            self._shadows_shown = content
            self._cast_shadows(cameras, opaque, transparent)
        self._shadows.bind(*UNITS_SHADOW)
        uniforms |= self._shadows.uniforms(cameras, scene.casters)
        return self._shadows.counts

    def _cast_shadows(self, cameras: list[LightCamera], opaque: list[GpuBatch], transparent: list[GpuBatch]) -> None:
        """Render all casters into each shadow map."""
        self._shadows.begin()
        self._context.enable_only(moderngl.DEPTH_TEST)
        # casters in front of the near plane still cast a shadow
        self._context.enable_direct(DEPTH_CLAMP)
        variants = [((), opaque), (("TRANSPARENT",), transparent)]
        casters = [
            (self.assets.programs.get("shadow.vert", "shadow.frag", *d), items) for d, items in variants if items
        ]
        for index, camera in enumerate(cameras):
            self._shadows.use_tile(index)
            for shader, items in casters:
                set_uniforms(shader, {"u_light_projection": camera.matrix.T})
                for item in items:
                    self.assets.pool.render(shader, item, depth_only=True, coarse=True)
        self._context.disable_direct(DEPTH_CLAMP)
        self._wait()
        self._context.enable_only(moderngl.NOTHING)
        depth = {"u_depth": UNIT_TEXTURE}
        self._shadows.reduce(
            UNIT_TEXTURE, lambda *defines: self.assets.draw_fullscreen("min_depth.frag", depth, *defines)
        )

    def _draw_mirrors(
        self, scene: DrawList, lists: GpuLists, uniforms: dict[str, Any], view: View
    ) -> dict[Plane, moderngl.Texture]:
        """The mirror image of each reflecting plane that faces the eye."""
        planes = dict.fromkeys(item.batch.mirror for item in (*lists.planes, *lists.opaque) if item.batch.mirror)
        facing = [plane for plane in planes if plane is not None and np.dot(plane[:3], view.eye) > plane[3]]
        images = {}
        for index, plane in enumerate(facing[:MAX_MIRRORS]):
            target, images[plane] = self._targets.mirror(index)
            target.use()
            target.clear(depth=1.0)
            pixel = {"u_pixel": (1 / target.width, 1 / target.height)}
            defines = (*scene_defines(scene), "CLIP")
            frame = _Frame(reflected_view(uniforms, view, plane) | pixel, defines, target.size)
            self._context.enable_direct(CLIP_DISTANCE0)
            self._context.front_face = "cw"
            others = [item for item in lists.planes if item.batch.mirror != plane]
            self._draw_surfaces(scene, frame, target, replace(lists, planes=others))
            self._context.front_face = "ccw"
            self._context.disable_direct(CLIP_DISTANCE0)
            self._wait()
        return images

    def _draw_scene(self, scene: DrawList, lists: GpuLists, frame: _Frame) -> None:
        """All surfaces and the overlay, into the multisampled framebuffer."""
        context, target = self._context, self._targets.scene
        target.use()
        target.clear(depth=1.0)
        context.wireframe = scene.wireframe
        self._draw_surfaces(scene, frame, target, lists)
        # the overlay faintly where it is hidden, then opaque where it is not
        target.depth_mask = False
        context.depth_func = ">"
        hidden = replace(frame, uniforms=frame.uniforms | {"u_opacity": HIDDEN_ALPHA}, ready=set())
        for item in lists.overlay:
            self._draw_batch(hidden, item)
        context.depth_func = "<"
        target.depth_mask = True
        shown = replace(frame, ready=set())
        for item in lists.overlay:
            self._draw_batch(shown, item)
        if lists.ghost:
            draw_ghost(context, target, partial(self._draw_batch, _without_shadows(shown)), lists.ghost)
        context.wireframe = False
        self._wait()

    def _draw_surfaces(self, scene: DrawList, frame: _Frame, target: moderngl.Framebuffer, lists: GpuLists) -> None:
        """Opaque instances, planes, the sky in what is left, then transparent instances."""
        context = self._context
        skybox = self.assets.textures.get(scene.skybox) if self.assets.textures else None
        if skybox is not None:
            skybox.use(UNIT_SKYBOX)
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        # of coplanar surfaces the later one is seen
        context.depth_func = "<="
        for item in lists.opaque:
            self._draw_batch(frame, item)
        context.depth_func = "<"
        context.enable(moderngl.BLEND)
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        for index, item in enumerate(lists.planes):
            self._draw_plane(frame, item, frame.scissors.get(index))
        context.enable_only(moderngl.DEPTH_TEST)
        # mirror images are transparent where they show nothing
        if "CLIP" not in frame.defines:
            context.wireframe = False
            self.assets.draw_fullscreen("sky.frag", frame.uniforms, *sky_defines(scene))
            context.wireframe = scene.wireframe
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE | moderngl.BLEND)
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE if scene.additive else moderngl.ONE_MINUS_SRC_ALPHA
        target.depth_mask = False
        for item in lists.transparent:
            self._draw_batch(frame, item, transparent=True)
        target.depth_mask = True
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA

    def _draw_plane(self, frame: _Frame, item: GpuBatch, scissor: Region | None) -> None:
        """A plane, with a cheaper shader where there are neither shadows nor mirror images."""
        infinite = (item.batch.instances[:, SHAPE][:, :2] <= 0).any()
        defines = ("PLANE", "INFINITE") if infinite else ("PLANE",)
        if scissor is None:
            self._draw_batch(frame, item, *defines)
            return
        plain = _without_shadows(frame)
        target = self._targets.scene
        for part in outside(scissor, frame.size):
            target.scissor = part
            self._draw_batch(plain, item, *defines)
        if min(scissor[2:]) > 0:
            target.scissor = scissor
            self._draw_batch(frame, item, *defines)
        target.scissor = None  # type: ignore[assignment]

    def _draw_batch(self, frame: _Frame, item: GpuBatch, *defines: str, transparent: bool = False) -> None:
        """One draw call, with its textures and mirror image."""
        textures = self.assets.textures
        texture = textures.get(item.batch.texture) if textures else None
        if texture is not None:
            flat = isinstance(texture, moderngl.Texture)
            texture.use(UNIT_TEXTURE if flat else UNIT_CUBE)
            defines += ("TEXTURE_2D" if flat else "TEXTURE_CUBE",)
        layers = textures.layers(item.batch.material) if textures else {}
        for role, layer in layers.items():
            layer.use(UNITS_LAYER[role])
            defines += (role.upper(),)
        if texture is not None or layers:
            defines += item.mesh.defines + (("BOX",) if item.batch.shape == "box" else ())
        image = frame.mirrors.get(item.batch.mirror) if item.batch.mirror else None
        if image is not None:
            image.use(UNIT_MIRROR)
            defines += ("MIRROR",)
        shader = self.assets.programs.get("surface.vert", "surface.frag", *frame.defines, *defines)
        if shader.glo not in frame.ready:
            set_uniforms(shader, frame.uniforms)
            frame.ready.add(shader.glo)
        rod = item.batch.shape in RODS
        set_uniforms(shader, {"u_min_radius": item.batch.width_scale * frame.uniforms["u_min_radius"] if rod else 0.0})
        coarse = "CLIP" in frame.defines
        if not transparent:
            self._render(shader, item, coarse)
            return
        # back faces first: they are seen through the front faces
        for culled in ("front", "back"):
            self._context.cull_face = culled
            self.assets.pool.render(shader, item, coarse=coarse)

    def _render(self, shader: moderngl.Program, item: GpuBatch, coarse: bool = False) -> None:
        """Draw a batch; without culling if its mesh is open."""
        if item.mesh.double_sided:
            self._context.disable(moderngl.CULL_FACE)
        self.assets.pool.render(shader, item, coarse=coarse)
        if item.mesh.double_sided:
            self._context.enable(moderngl.CULL_FACE)

    def _draw_outline(self, outlined: list[GpuBatch], uniforms: dict[str, Any]) -> None:
        """The mask of outlined instances, without a depth test."""
        if not outlined:
            return
        mask = self._targets.mask()
        mask.use()
        mask.clear()
        self._context.enable_only(moderngl.NOTHING)
        shader = self.assets.programs.get("surface.vert", "mask.frag")
        for item in outlined:
            rod = item.batch.shape in RODS
            set_uniforms(shader, uniforms if rod else uniforms | {"u_min_radius": 0.0})
            self.assets.pool.render(shader, item)

    def _postprocess(self, geoms: Region, outlined: Region | None) -> None:
        """MSAA resolve, then smooth edges, which are only where geoms are, and draw the outline."""
        targets, smooth = self._targets, self._quality.samples == 1
        image = targets.resolve()
        self._context.copy_framebuffer(targets.final, targets.resolved)
        targets.final.use()
        self._context.enable_only(moderngl.NOTHING)
        image.use(UNIT_TEXTURE)
        if outlined:
            targets.mask_texture.use(UNIT_MIRROR)
        self._wait()
        uniforms = {"u_image": UNIT_TEXTURE, "u_mask": UNIT_MIRROR, "u_outline": OUTLINE_COLOUR}
        for part, outline in ((geoms if smooth else None, False), (outlined, True)):
            if part is not None and min(part[2:]) > 0:
                targets.final.scissor = part
                which = (("SMOOTH", smooth), ("OUTLINE", outline))
                self.assets.draw_fullscreen("postprocess.frag", uniforms, *(name for name, true in which if true))
        targets.final.scissor = None  # type: ignore[assignment]
        self._wait()

    def _present(self, target: moderngl.Framebuffer, viewport: Region) -> None:
        """Copy the final image to its place on the target."""
        image = self._targets.final_texture
        if viewport == (0, 0, *target.size) and viewport[2:] == image.size:
            # on software renderers 30 times as fast as drawing a textured triangle
            self._context.copy_framebuffer(target, self._targets.final)
            return
        target.use()
        target.viewport = viewport
        self._context.enable_only(moderngl.NOTHING)
        filtering = moderngl.NEAREST if viewport[2:] == image.size else moderngl.LINEAR
        image.filter = (filtering, filtering)
        image.use(UNIT_TEXTURE)
        self.assets.draw_fullscreen("present.frag", {"u_image": UNIT_TEXTURE})
        self._wait()


def _without_shadows(frame: _Frame) -> _Frame:
    """The state of a pass for what has neither shadows on it nor mirror images."""
    defines = tuple("SHADOWS 0" if d.startswith("SHADOWS") else d for d in frame.defines)
    return replace(frame, defines=defines, mirrors={})


def _plane_scissors(frame: _Frame, lists: GpuLists, lights: tuple[Light, ...], view: View) -> dict[int, Region]:
    """For each plane the screen rectangle of shadows and mirror images; no entry if that is the whole screen."""
    geoms = bounding_spheres((*lists.opaque, *lists.transparent))
    regions = {}
    for index, item in enumerate(lists.planes):
        shadows = shadow_spheres(geoms, lights, item.batch.instances[0])
        mirror = item.batch.mirror if item.batch.mirror in frame.mirrors else None
        # a mirror may show other planes anywhere
        if shadows is not None and not (mirror and len(lists.planes) > 1):
            both = [shadows, mirrored_spheres(geoms, mirror)] if mirror else [shadows]
            regions[index] = screen_rect(np.concatenate(both), view, frame.size)
    return regions
