import { useEffect, useRef, useState } from 'react';
import type { HomepageContent } from '../model.ts';
import { Hero } from './hero.tsx';

/** The width at which the home page is shown, in pixels, as far as the window has it. */
const PAGE_WIDTH = 1344;

/** The hero exactly as the home page shows it, scaled to the width that is there. */
export function HeroPreview({ content }: { content: HomepageContent }) {
  const frame = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState({ width: PAGE_WIDTH, zoom: 0.4 });
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const fit = () => {
      // The rules of the stylesheet go by the window, so the page is as wide as it would be there.
      const width = Math.min(PAGE_WIDTH, document.documentElement.clientWidth);
      setPage({ width, zoom: Math.min(1, current.clientWidth / width) });
    };
    const observer = new ResizeObserver(fit);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <section className="hero-preview" aria-labelledby="hero-preview">
      <h2 id="hero-preview">Preview</h2>
      <p className="hint">How the top of the home page looks once this is saved.</p>
      <div className="hero-preview-frame" ref={frame}>
        <div className="hero-preview-page" style={page} inert aria-hidden="true">
          <Hero content={content} featured={false} />
        </div>
      </div>
    </section>
  );
}
