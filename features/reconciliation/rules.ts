import { nobody } from '#platform/access.ts';
import type { BreakKind } from './model.ts';

/** Breaks are opened, and closed by events, as part of the operations that they come from. */
export const mayOpenBreaks = nobody;

/** Longest explanation of a break, in characters. */
export const BREAK_TEXT_MAX_LENGTH = 2000;

export const breakKinds: Record<
  BreakKind,
  {
    title: string;
    /** its sale stays frozen until it is resolved */
    freezes: boolean;
    /** false where the event that comes with it opens a task of its own */
    opensTask: boolean;
  }
> = {
  payment_mismatch: {
    title: 'A payment differs from what was asked for',
    freezes: true,
    opensTask: false,
  },
  unexpected_refund: {
    title: 'The provider sent money back that was not asked for here',
    freezes: true,
    opensTask: true,
  },
  paid_back_twice: {
    title: 'More went back to a buyer than was held',
    freezes: false,
    opensTask: true,
  },
  dispute_reversed: {
    title: 'A lost dispute was decided in our favor after all',
    freezes: true,
    opensTask: true,
  },
  refused_move: {
    title: 'Money moved, and the sale could not follow',
    freezes: false,
    opensTask: true,
  },
};
