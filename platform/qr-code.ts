import makeQrCode from 'qrcode-generator';

/** A QR code as an SVG path on a square of `size` modules, with the four modules of margin that scanners need. */
export interface QrCode {
  size: number;
  path: string;
}

const MARGIN = 4;

/** The QR code of a text; the same text is the same path. Dark modules beside each other are one rectangle. */
export function qrCode(text: string): QrCode {
  const code = makeQrCode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let row = 0; row < count; row++) {
    for (let from = 0; from < count; from++) {
      let to = from;
      while (to < count && code.isDark(row, to)) to++;
      if (to === from) continue;
      path += `M${from + MARGIN} ${row + MARGIN}h${to - from}v1h${from - to}z`;
      from = to;
    }
  }
  return { size: count + 2 * MARGIN, path };
}
