import { THEME_KEY } from './theme.ts';

/** Local storage key of the addresses of the fonts that this browser has. */
const FONTS_KEY = 'acre-fonts';

/** The class of `<html>` with which text has the system's fonts, of the web fonts' metrics (`ui/styles/fonts.css`). */
const FALLBACK_FONTS = 'fallback-fonts';

/**
 * Runs before the first paint. It sets the class `dark` from the stored choice, else from the system, and the class `js` that shows the
 * controls which need scripts. A browser that has the fonts asks for them at once; any other one after its first frame, so that on a slow
 * line styles and the first picture do not wait for them: then all text changes its font at once. A page in the background paints nothing;
 * there two seconds have to do.
 *
 * Constant, so that the Content-Security-Policy can allow it by its hash: the fonts stand in `data-fonts` of `<html>`, which needs
 * `suppressHydrationWarning`, because the classes are not the server's.
 */
export const HEAD_SCRIPT = `(()=>{
const page=document.documentElement,classes=page.classList,{fonts=''}=page.dataset;
const stored=(key)=>{try{return localStorage.getItem(key)}catch{return null}};
classes.add('js');
const theme=stored('${THEME_KEY}');
if(theme==='dark'||(theme!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches))classes.add('dark');
if(stored('${FONTS_KEY}')===fonts){
for(const href of fonts.split(' '))document.head.append(Object.assign(document.createElement('link'),{rel:'preload',as:'font',type:'font/woff2',crossOrigin:'anonymous',href}));
return}
classes.add('${FALLBACK_FONTS}');
const load=async()=>{
try{await Promise.all(['Inter','Fraunces'].map((name)=>document.fonts.load('1em "'+name+' Variable"')));localStorage.setItem('${FONTS_KEY}',fonts)}catch{}
classes.remove('${FALLBACK_FONTS}')};
const timer=setTimeout(load,2e3);
new PerformanceObserver((paints,observer)=>{observer.disconnect();clearTimeout(timer);load()}).observe({type:'paint',buffered:true})
})()`;
