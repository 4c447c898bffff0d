import makeQrCode from 'qrcode-generator';

/** A QR code as an SVG path on a square of `size` modules, with the four modules of margin that scanners need. */
export interface QrCode {
  size: number;
  path: string;
}

const MARGIN = 4;

/** The QR code of a text. */
export function qrCode(text: string): QrCode {
  const code = makeQrCode(0, 'M');
  code.addData(text);
  code.make();
  const modules = Array.from({ length: code.getModuleCount() }, (_, at) => at);
  const dark = modules.flatMap((row) =>
    modules
      .filter((column) => code.isDark(row, column))
      .map((column) => `M${column + MARGIN} ${row + MARGIN}h1v1h-1z`),
  );
  return { size: modules.length + 2 * MARGIN, path: dark.join('') };
}
