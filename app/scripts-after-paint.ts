const PRELOAD = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;
const MODULE_SCRIPT = /(<script[^>]* type="module" async="">)(.*?)(<\/script>)/s;
const STATIC_IMPORT = /^import \* as (\w+) from ("[^"]+");$/gm;

/** A page in the background draws no frame; where style sheets are slow, two seconds have to do. */
const PAINTED =
  'await new Promise((done)=>{document.hidden?done():requestAnimationFrame(()=>setTimeout(done));setTimeout(done,2e3)});';

/**
 * The HTML of a page whose scripts are asked for after its first frame: on a slow connection its styles, fonts and pictures have
 * it to themselves, and the page is there about a second earlier. HTML without the router's scripts stays as it is.
 */
export function scriptsAfterPaint(html: string): string {
  const hrefs: string[] = [];
  const script = MODULE_SCRIPT.exec(html);
  if (!script) return html;
  const [whole, opening = '', code = '', end = ''] = script;
  const without = html.replace(PRELOAD, (_, href: string) => {
    hrefs.push(href);
    return '';
  });
  // All at the same time, as the links would have it; the imports then find them.
  const preload = `for(const href of ${JSON.stringify(hrefs)})document.head.append(Object.assign(document.createElement('link'),{rel:'modulepreload',href}));`;
  const later = code.replace(STATIC_IMPORT, 'const $1 = await import($2);');
  return without.replace(whole, () => opening + PAINTED + preload + later + end);
}
