import { DARK } from './color.ts';
import type { Builder } from './kit.ts';
import { each, group, line, path, polygon, rect, repeat } from './svg.ts';
import { shade } from './walls.ts';

/** A brick house over a shop with striped awnings. */
const storefront: Builder = ({ hue, ledge, pane, wall, glazing, castShadow }) => {
  const stone = hue('#efe4cf');
  const [green, frame] = [hue('#20463a'), hue('#173529')];
  const upper =
    wall(350, 300, 500, 340, hue('#b0694c'), 'brick') +
    rect(336, 276, 528, 26, ledge('#efe4cf')) +
    repeat(16, (index) => rect(350 + index * 32, 302, 14, 12, stone)) +
    rect(350, 314, 500, 8, DARK, { opacity: 0.15 }) +
    repeat(5, (index) => glazing(376 + index * 96, 344, 52, 88));
  const shopFront =
    rect(350, 462, 500, 178, green) +
    rect(342, 452, 516, 14, stone) +
    rect(380, 474, 440, 28, frame) +
    rect(500, 484, 200, 8, hue('#d9b461'), { rx: 4 }) +
    each([376, 658], (x) => glazing(x, 530, 166, 92, { rows: 1, frame }));
  const door = rect(568, 524, 64, 114, hue('#d9b461')) + rect(578, 534, 44, 74, pane('#6d8a8b', '#ffdf9d'));
  const awning = (x: number) =>
    repeat(8, (index) =>
      path(`M${x + index * 24} 508h24v30a12 10 0 0 1 -24 0Z`, hue(index % 2 ? '#f3ead6' : '#c4963a')),
    );
  const awnings = each([362, 644], awning) + shade([362, 548, 554, 548, 554, 560, 362, 560], 0.1);
  return {
    left: 340,
    right: 860,
    door: 600,
    svg: castShadow(350, 500, 160) + upper + shopFront + door + awnings,
  };
};

/** A boarded store behind a stepped false front, with a porch and crates. */
export const tradingPost: Builder = (kit) => {
  const { paint, hue, ledge, oneOf, wall, glazing, frontDoor, castShadow } = kit;
  const cap = hue('#efe4cf');
  const falseFront =
    wall(340, 440, 520, 200, hue('#96704a'), 'board') +
    polygon(
      [420, 440, 420, 330, 470, 330, 470, 296, 730, 296, 730, 330, 780, 330, 780, 440],
      oneOf(['#a37c53', '#7c8f75', '#b5654a', '#e0cfae']),
    ) +
    group(
      repeat(10, (index) =>
        line(424, 340 + index * 11, 776, 340 + index * 11, DARK, 1.6, { 'stroke-opacity': 0.12 }),
      ),
    ) +
    rect(412, 322, 62, 10, cap) +
    rect(726, 322, 62, 10, cap) +
    rect(462, 286, 276, 12, ledge('#efe4cf'));
  const sign = rect(492, 352, 216, 40, hue('#1e4a34')) + rect(522, 368, 156, 8, hue('#e3c173'), { rx: 4 });
  const front =
    glazing(384, 520, 116, 84, { columns: 3 }) +
    glazing(700, 520, 116, 84, { columns: 3 }) +
    frontDoor(574, 520, 52, 116);
  const porch =
    shade([340, 496, 860, 496, 860, 520, 340, 520], 0.2) +
    polygon([310, 492, 350, 452, 850, 452, 890, 492], paint.roof) +
    rect(310, 490, 580, 9, paint.trim) +
    repeat(6, (index) => rect(322 + index * 109, 499, 12, 134, hue('#e9dcc2'))) +
    rect(308, 630, 584, 14, hue('#7d5d3d'));
  const crates = repeat(3, (index) =>
    rect(838 - index * 8, 602 - (index % 2) * 22, 30, 28, hue('#b58a55'), { rx: 2 }),
  );
  return {
    left: 330,
    right: 890,
    door: 600,
    svg: castShadow(340, 520, 150) + falseFront + sign + front + porch + crates,
  };
};

/** A brick workshop under four saw-tooth roof lights, with a rolling door. */
const workshop: Builder = ({ paint, hue, pane, wall, glazing, castShadow }) => {
  const roofLight = (index: number) => {
    const x = 280 + index * 160;
    return (
      polygon([x, 420, x, 330, x + 160, 420], paint.roof) +
      polygon([x + 8, 416, x + 8, 348, x + 120, 416], pane('#6f8f93', '#f3b95f')) +
      line(x + 46, 372, x + 46, 416, paint.roof, 3) +
      line(x + 84, 394, x + 84, 416, paint.roof, 3) +
      polygon([x, 330, x + 160, 420, x + 160, 412, x, 322], '#fff', { opacity: 0.2 })
    );
  };
  const hall =
    wall(280, 420, 640, 220, hue('#9c5a45'), 'brick') +
    rect(272, 414, 656, 14, hue('#e6d8c0')) +
    rect(280, 428, 640, 9, DARK, { opacity: 0.16 }) +
    repeat(4, (index) =>
      glazing(310 + index * 108, 462, 72, 136, { columns: 3, rows: 4, frame: hue('#2b312d') }),
    );
  const rollingDoor =
    rect(752, 470, 130, 170, hue('#2b312d')) +
    repeat(6, (index) => rect(760, 478 + index * 26, 114, 22, hue('#47514b'))) +
    rect(760, 478, 114, 22, pane('#8fa9ab', '#ffd68a')) +
    rect(740, 450, 154, 10, hue('#c4963a'));
  const svg = castShadow(280, 640, 160) + repeat(4, roofLight) + hall + rollingDoor;
  return { left: 270, right: 930, door: 810, svg };
};

/** Builders of the Commercial styles. */
export const SHOPS: readonly Builder[] = [storefront, tradingPost, workshop];
