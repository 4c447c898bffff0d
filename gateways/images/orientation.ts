import type { Sharp } from 'sharp';

/**
 * Rotates and mirrors a picture according to its EXIF orientation (1–8). Sharp mirrors before it rotates, whatever the
 * order of the calls.
 */
export function upright(picture: Sharp, orientation: number): Sharp {
  switch (orientation) {
    case 2:
      return picture.flop();
    case 3:
      return picture.rotate(180);
    case 4:
      return picture.flip();
    case 5:
      return picture.flip().rotate(90);
    case 6:
      return picture.rotate(90);
    case 7:
      return picture.flop().rotate(90);
    case 8:
      return picture.rotate(270);
    default:
      return picture;
  }
}
