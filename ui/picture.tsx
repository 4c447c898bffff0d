import type { CSSProperties } from 'react';

/** An image in the sizes and formats that exist of it. */
export interface ImageSet {
  src: string;
  /** Candidates of `src`'s own format. */
  srcSet?: string | undefined;
  /** Better formats first (AVIF, WebP). */
  sources?: readonly { type: string; srcSet: string }[] | undefined;
  width: number;
  height: number;
  /** A tiny `data:` image or a colour that stands until the picture is there. */
  placeholder?: string | undefined;
  alt: string;
  /** Shown under the picture by what shows several of them. */
  caption?: string | undefined;
}

interface PictureProps extends ImageSet {
  /** How wide it will be shown, as in the `sizes` attribute. */
  sizes?: string;
  className?: string;
  /** The picture of the view: loaded at once and first; all others wait until they come near. */
  first?: boolean;
}

/** One `<img>`, inside `<picture>` only when better formats exist; its room is known before it arrives. */
export function Picture({
  src,
  srcSet,
  sources,
  sizes,
  width,
  height,
  placeholder,
  alt,
  className,
  first,
}: PictureProps) {
  const image = (
    <img
      src={src}
      srcSet={srcSet}
      sizes={sizes}
      width={width}
      height={height}
      alt={alt}
      className={className}
      style={placeholder ? placeholderStyle(placeholder) : undefined}
      loading={first ? undefined : 'lazy'}
      decoding={first ? undefined : 'async'}
      fetchPriority={first ? 'high' : undefined}
    />
  );
  if (!sources?.length) return image;
  return (
    <picture>
      {sources.map((source) => (
        <source key={source.type} type={source.type} srcSet={source.srcSet} sizes={sizes} />
      ))}
      {image}
    </picture>
  );
}

const placeholderStyle = (placeholder: string): CSSProperties =>
  placeholder.startsWith('data:')
    ? { background: `url("${placeholder}") center / cover no-repeat` }
    : { background: placeholder };
