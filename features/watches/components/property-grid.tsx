import { type FormEvent, type MouseEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { PropertyCard } from '#features/listings/components/property-card.tsx';
import type { ListingCard } from '#features/listings/model.ts';
import { useSetWatched } from './use-set-watched.ts';

interface Props {
  cards: readonly ListingCard[];
  watched: readonly string[];
  signedIn: boolean;
  /** 'featured' shows the first of five cards large */
  layout?: 'grid' | 'featured';
  /** how many pictures are above the fold and load eagerly */
  eager?: number;
  /** true if the first picture of this grid is the page's largest (LCP) */
  priority?: boolean;
}

/** Property cards with client-side navigation and optimistic watch buttons. */
export function PropertyGrid({
  cards,
  watched,
  signedIn,
  layout = 'grid',
  eager = 0,
  priority = false,
}: Props) {
  const navigate = useNavigate();
  const setWatched = useSetWatched(signedIn);
  const [pressed, setPressed] = useState<Record<string, boolean>>({});

  function follow(event: MouseEvent) {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !plain || event.defaultPrevented) return;
    event.preventDefault();
    void navigate(link.getAttribute('href') ?? '');
  }

  function toggle(event: FormEvent<HTMLDivElement>) {
    const form = event.target instanceof HTMLFormElement ? event.target : null;
    const id = form?.action.split('/').at(-2);
    const card = cards.find((candidate) => candidate.id === id);
    if (!form || !card) return;
    event.preventDefault();
    const before = pressed[card.id] ?? watched.includes(card.id);
    const mark = (value: boolean) => setPressed((all) => ({ ...all, [card.id]: value }));
    mark(!before);
    void setWatched(card.id, !before).then((done) => done || mark(before));
  }

  return (
    // biome-ignore lint/a11y: delegated handlers of the links and buttons inside, which are focusable themselves
    <div className={gridClass(layout, cards.length)} onClick={follow} onSubmit={toggle}>
      {cards.map((card, index) => (
        <PropertyCard
          key={card.id}
          card={card}
          watched={pressed[card.id] ?? watched.includes(card.id)}
          lead={layout === 'featured' && cards.length === 5 && index === 0}
          eager={index < eager}
          priority={priority && index === 0}
        />
      ))}
    </div>
  );
}

/** Featured: one large and four small cards; four cards use four columns, fewer use three. */
function gridClass(layout: 'grid' | 'featured', count: number): string {
  if (layout === 'grid' || count === 4) return 'grid4';
  return count === 5 ? 'featured' : 'grid3';
}
