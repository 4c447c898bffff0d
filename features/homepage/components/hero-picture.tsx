import { imageSources } from '#gateways/images/sources.ts';
import type { HomepageContent } from '../model.ts';

/** The hero's picture: the uploaded one, else the built-in panorama for the light or dark theme. */
export function HeroPicture({ image }: { image: HomepageContent['image'] }) {
  if (!image) {
    return (
      <div className="stage-view">
        <img
          className="only-light"
          src="/illustrations/hero-light.svg"
          alt=""
          width={1600}
          height={900}
          fetchPriority="high"
        />
        <img
          className="only-dark"
          src="/illustrations/hero-dark.svg"
          alt=""
          width={1600}
          height={900}
          loading="lazy"
        />
      </div>
    );
  }
  const sources = imageSources(image.id, image.widths);
  const sizes = '(width >= 1344px) 1280px, 100vw';
  return (
    <div className="stage-view">
      <picture>
        <source type="image/avif" srcSet={sources.avif} sizes={sizes} />
        <source type="image/webp" srcSet={sources.webp} sizes={sizes} />
        <img
          src={sources.src}
          alt=""
          width={image.width}
          height={image.height}
          fetchPriority="high"
          style={{ backgroundImage: `url(${image.placeholder})` }}
        />
      </picture>
    </div>
  );
}
