import './policy-text.css';
import type { Block, Span } from '../markdown.ts';

/** A parsed policy as elements. */
export function PolicyText({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className="policy-text">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text is shown as a whole and never reordered
        <PolicyBlock key={at} block={block} />
      ))}
    </div>
  );
}

function PolicyBlock({ block }: { block: Block }) {
  if (block.kind === 'paragraph')
    return (
      <p>
        <Spans spans={block.spans} />
      </p>
    );
  if (block.kind === 'list')
    return (
      <ul>
        {block.items.map((spans, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <li key={at}>
            <Spans spans={spans} />
          </li>
        ))}
      </ul>
    );
  const Heading = block.level === 2 ? 'h2' : 'h3';
  return (
    <Heading>
      <Spans spans={block.spans} />
    </Heading>
  );
}

const Spans = ({ spans }: { spans: readonly Span[] }) =>
  spans.map(({ text, bold, href }, at) =>
    href !== undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <a key={at} className="link" href={href} rel="noopener">
        {text}
      </a>
    ) : bold ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <b key={at}>{text}</b>
    ) : (
      text
    ),
  );
