/** The list beside the map: the cards of the page, which the map marks and follows without being part of it. */
const list = (map: Element): Element | null | undefined =>
  map.closest('.found-views')?.querySelector('.listing-results');

const idOf = (card: Element): string | null =>
  card.querySelector('h3 a')?.getAttribute('href')?.split('/').at(-1) ?? null;

const cardsOf = (map: Element): Element[] => [...(list(map)?.querySelectorAll('article.pcard') ?? [])];

/** The listings of the list. */
export const listedIds = (map: Element): string[] => cardsOf(map).flatMap((card) => idOf(card) ?? []);

/** Marks the card of a listing, and takes the mark from all others. */
export function markCard(map: Element, id: string | null): void {
  for (const card of cardsOf(map)) card.toggleAttribute('data-looked-at', id !== null && idOf(card) === id);
}

/**
 * Tells which listing of the list the mouse or the keyboard is on; null for none.
 * @returns removes the listeners
 */
export function followList(map: Element, onLook: (id: string | null) => void): () => void {
  const listening = new AbortController();
  let current: string | null = null;
  const look = (id: string | null) => {
    if (id === current) return;
    current = id;
    onLook(id);
  };
  const at = ({ target }: Event) => {
    const card = target instanceof Element ? target.closest('article.pcard') : null;
    look(card && idOf(card));
  };
  const none = () => look(null);
  const results = list(map);
  for (const event of ['pointerover', 'focusin'])
    results?.addEventListener(event, at, { signal: listening.signal });
  for (const event of ['pointerleave', 'focusout'])
    results?.addEventListener(event, none, { signal: listening.signal });
  return () => listening.abort();
}
