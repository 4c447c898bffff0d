import { cycle, type Random, randomBetween, randomInt } from './random.ts';
import { group, HEIGHT, line, path, polygon, rect, repeat, WIDTH } from './svg.ts';

export const PAPER = '#f6f1e6';
const ROOM_TINTS = ['#fffdf7', '#f0eadb', '#e8eee4', '#f6ead0'];

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
const HOUSE: Box = { x: 160, y: 130, width: 860, height: 540 };

/** Graph paper with a compass and a scale bar around `content`. */
export function sheet(ink: string, content: string): string {
  const heavier = (index: number) => ({ opacity: index % 5 === 4 ? 0.13 : 0.06 });
  const squares =
    repeat(29, (index) => line(40 * (index + 1), 0, 40 * (index + 1), HEIGHT, ink, 1, heavier(index))) +
    repeat(19, (index) => line(0, 40 * (index + 1), WIDTH, 40 * (index + 1), ink, 1, heavier(index)));
  const ring = '<ellipse cx="0" cy="0" rx="34" ry="34" fill="none"';
  const compass = group(
    `${ring} stroke="${ink}" stroke-width="2"/>${polygon([0, -46, 10, 0, 0, 10, -10, 0], ink)}`,
    { transform: 'translate(1100 96)' },
  );
  const scaleBar = repeat(10, (index) =>
    rect(800 + index * 32, 728, 32, 9, index % 2 ? PAPER : ink, { stroke: ink, 'stroke-width': 1.5 }),
  );
  return rect(0, 0, WIDTH, HEIGHT, PAPER) + squares + content + compass + scaleBar;
}

/** A floor plan: walls, doors, windows and furniture, without labels. `depth` is how often it is divided into rooms. */
export function floorPlan(random: Random, ink: string, depth: number): string {
  const rooms = divide(random, HOUSE, depth);
  const first = randomInt(random, FITTINGS.length);
  const furnished = rooms.map((box, index) => {
    const fitting = cycle(FITTINGS, index + first);
    const outline = group(fitting(box), { fill: 'none', stroke: ink, 'stroke-width': 2.5, opacity: 0.75 });
    return rect(box.x, box.y, box.width, box.height, cycle(ROOM_TINTS, index + first)) + outline;
  });
  const wall = (box: Box, thickness: number) =>
    rect(box.x, box.y, box.width, box.height, 'none', { stroke: ink, 'stroke-width': thickness });
  const innerWalls = rooms.map((box) => wall(box, 9));
  const doors = rooms.map((box, index) =>
    box.y + box.height < 660 || index === 0 ? doorSwing(box, ink) : '',
  );
  const windows = rooms.map((box) => (box.y === HOUSE.y ? windowAbove(box, ink) : ''));
  const pieces = [...furnished, ...innerWalls, wall(HOUSE, 16), ...doors, ...windows];
  return sheet(ink, pieces.join(''));
}

/** Cuts a box into rooms, always across its longer side, until they are small or `depth` is used up. */
function divide(random: Random, box: Box, depth: number): Box[] {
  const { x, y, width, height } = box;
  if (depth === 0 || (width < 260 && height < 240)) return [box];
  const share = randomBetween(random, 0.38, 0.62);
  const onGrid = (length: number) => Math.round((length * share) / 20) * 20;
  const upright = width > height * 1.05;
  const cut = onGrid(upright ? width : height);
  const [one, other] = upright
    ? [
        { x, y, width: cut, height },
        { x: x + cut, y, width: width - cut, height },
      ]
    : [
        { x, y, width, height: cut },
        { x, y: y + cut, width, height: height - cut },
      ];
  return [...divide(random, one, depth - 1), ...divide(random, other, depth - 1)];
}

/** A gap in the lower wall and the arc of its door. */
function doorSwing({ x, y, height }: Box, ink: string): string {
  const [left, wall] = [x + 26, y + height];
  return (
    rect(left, wall - 9, 58, 18, PAPER) +
    path(`M${left} ${wall}v-58a58 58 0 0 1 58 58`, 'none', { stroke: ink, 'stroke-width': 2.5 })
  );
}

function windowAbove({ x, width }: Box, ink: string): string {
  const left = x + width / 2 - 46;
  return (
    rect(left, 122, 92, 16, PAPER, { stroke: ink, 'stroke-width': 3 }) +
    line(left, 130, left + 92, 130, ink, 2.5)
  );
}

const outline = (x: number, y: number, width: number, height: number, radius = 0) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}"${radius ? ` rx="${radius}"` : ''}/>`;
const circle = (x: number, y: number, radius: number) => `<circle cx="${x}" cy="${y}" r="${radius}"/>`;

const bed = ({ x, y, width, height }: Box) => {
  const middle = x + width / 2;
  const pillows = outline(middle - 45, y + 24, 40, 26, 5) + outline(middle + 5, y + 24, 40, 26, 5);
  return outline(middle - 55, y + 16, 110, Math.min(130, height - 60), 6) + pillows;
};

const sofaAndTable = ({ x, y, height }: Box) =>
  outline(x + 18, y + height / 2 - 60, 46, 120, 10) + outline(x + 84, y + height / 2 - 30, 44, 60, 4);

const diningTable = ({ x, y, width, height }: Box) => {
  const [middle, centre] = [x + width / 2, y + height / 2];
  const chairs =
    circle(middle, centre - 56, 12) +
    circle(middle + 56, centre, 12) +
    circle(middle, centre + 56, 12) +
    circle(middle - 56, centre, 12);
  return circle(middle, centre, 36) + chairs;
};

const kitchenCounter = ({ x, y, width }: Box) =>
  outline(x + 16, y + 14, width - 32, 36) +
  circle(x + width / 2, y + 32, 11) +
  outline(x + width - 92, y + 20, 46, 24);

const bathtub = ({ x, y, width }: Box) =>
  outline(x + 16, y + 16, 52, 96, 22) + outline(x + width - 60, y + 16, 40, 30, 8);

const FITTINGS = [bed, sofaAndTable, diningTable, kitchenCounter, bathtub];
