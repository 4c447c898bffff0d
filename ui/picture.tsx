import type { CSSProperties } from 'react';

/** An image with its available sizes and formats. */
export interface ImageSet {
  src: string;
  /** Candidates in the same format as `src`. */
  srcSet?: string | undefined;
  /** Better formats first (AVIF, WebP). */
  sources?: readonly { type: string; srcSet: string }[] | undefined;
  width: number;
  height: number;
  /** A tiny `data:` image or a color shown until the picture has loaded. */
  placeholder?: string | undefined;
  alt: string;
  /** Shown below the picture by the carousel. */
  caption?: string | undefined;
}

interface PictureProps extends ImageSet {
  /** The `sizes` attribute: how wide the picture will be displayed. */
  sizes?: string;
  className?: string;
  /** Loaded eagerly with high priority; all other pictures are lazy. */
  priority?: boolean;
}

/** An `<img>`, wrapped in `<picture>` only when better formats exist; its space is reserved before it loads. */
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
  priority,
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
      loading={priority ? undefined : 'lazy'}
      decoding={priority ? undefined : 'async'}
      fetchPriority={priority ? 'high' : undefined}
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
