import './review-desk.css';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { Form, useNavigate, useNavigation } from 'react-router';
import { type ActionData, INTENT } from '#ui/action-data.ts';
import { BulkBar } from '#ui/bulk-bar.tsx';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { usePendingData } from '#ui/use-pending.ts';
import { useStateFrom } from '#ui/use-state-from.ts';
import {
  type Decision,
  decisions,
  type NotDecided,
  type ReviewQueue,
  type ReviewSubject,
  type SelectedListing,
} from '../model.ts';
import { selectAllLabel } from '../rules.ts';
import { Decided, DecisionForm } from './decision-form.tsx';
import { deskKeys } from './desk-keys.ts';
import { ReviewArticle } from './review-article.tsx';
import { SELECTION_FORM, selectionValue, WaitingList } from './waiting-list.tsx';

/** The intent of the form that approves what is selected. */
export const APPROVE_SELECTED = 'approve-selected';

export type DeskAnswer = ActionData & { notDecided?: readonly NotDecided[] };

interface Props {
  queue: ReviewQueue;
  subject: ReviewSubject | null;
  /** where the listing is */
  map: ReactNode;
  /** who owns it, as far as that was proved */
  ownership: ReactNode;
  answer: DeskAnswer | undefined;
  /** the desk's own URL with a listing or another page, of which the first listing is shown, or the last one, and with all selected or not */
  hrefOf: (place: { listing?: string | undefined; page?: number; last?: true; all?: boolean }) => string;
  detailsHref: (id: string) => string;
}

/** Where administrators decide about listings: what waits, one of them in full, and the decision; also by keyboard. */
export function ReviewDesk({ queue, subject, map, ownership, answer, hrefOf, detailsHref }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Ahead of the URL, so that a box changes at once, and what is cleared while all is being selected stays so.
  const [wantsAll, setWantsAll] = useStateFrom(queue.allSelected !== null);
  const { state } = useNavigation();
  const intent = usePendingData(answer?.ok === false)?.get(INTENT);
  const navigate = useNavigate();
  const article = useFocusOnNext(subject?.record.id ?? null);
  const form = useRef<HTMLFormElement>(null);
  const current = subject?.record.id ?? null;
  const ids = queue.rows.map(({ id }) => id);
  const at = current === null ? -1 : ids.indexOf(current);
  const next = ids[at + 1] ?? ids[at - 1] ?? null;
  const all = wantsAll ? queue.allSelected : null;
  const inAll = new Set(all?.map(({ propertyId }) => propertyId));
  const selected = new Set(ids.filter((id) => (all ? inAll : chosen).has(id)));
  const elsewhere = all?.filter(({ propertyId }) => !ids.includes(propertyId)) ?? [];
  const hrefHere: typeof hrefOf = (place) => hrefOf({ all: wantsAll, ...place });
  const goTo = (place: Parameters<typeof hrefOf>[0]) =>
    void navigate(hrefHere(place), { preventScrollReset: true });
  const selectAll = (on: boolean) => {
    if (on === wantsAll) return;
    setWantsAll(on);
    goTo({ listing: current ?? undefined, all: on });
  };
  const select = (some: readonly string[], on: boolean) => {
    setChosen(
      (before) =>
        new Set([
          ...[...(all ? selected : before)].filter((id) => on || !some.includes(id)),
          ...(on ? some : []),
        ]),
    );
    selectAll(false);
  };
  const clear = () => {
    setChosen(new Set());
    selectAll(false);
  };
  const goNext = () => {
    const id = ids[at + 1];
    if (id !== undefined) goTo({ listing: id });
    else if (queue.page < queue.pages) goTo({ page: queue.page + 1 });
  };
  const goBack = () => {
    const id = ids[at - 1];
    if (id !== undefined) goTo({ listing: id });
    else if (at === 0 && queue.page > 1) goTo({ page: queue.page - 1, last: true });
  };
  const press = (decision: Decision) => {
    if (state !== 'idle' || !form.current) return;
    const missing =
      decision !== 'approve' && fieldsOf(form.current).find((field) => field.value.trim() === '');
    if (missing) missing.focus();
    else form.current.querySelector<HTMLButtonElement>(`button[value=${decision}]`)?.click();
  };
  const keys = deskKeys({
    next: goNext,
    previous: goBack,
    select: () => current && select([current], !selected.has(current)),
    approve: () => press('approve'),
    requestChanges: () => press('request_changes'),
    reject: () => press('reject'),
  });
  return (
    <section className="panel" aria-label="Pending Approval" onKeyDown={keys}>
      <SelectionForm
        count={selected.size + elsewhere.length}
        elsewhere={elsewhere}
        more={
          !wantsAll && selected.size === ids.length && queue.pages > 1
            ? { label: selectAllLabel(queue.total), onSelect: () => selectAll(true) }
            : undefined
        }
        pending={intent === APPROVE_SELECTED}
        action={hrefHere({ all: false })}
        onClear={clear}
      />
      <RestOfSelection answer={answer} />
      <div className="desk">
        <WaitingList
          queue={queue}
          current={current}
          selected={selected}
          onSelect={select}
          hrefOf={hrefHere}
        />
        {subject && (
          <ReviewArticle
            subject={subject}
            map={map}
            ownership={ownership}
            detailsHref={detailsHref}
            ref={article}
          >
            {subject.waiting ? (
              <DecisionForm
                key={subject.record.id}
                subject={subject}
                next={next}
                action={hrefHere({ listing: subject.record.id })}
                pending={decisions.find((one) => one === intent) ?? null}
                errors={answer?.errors ?? {}}
                input={answer?.input?.id === subject.record.id ? answer.input : {}}
                ref={form}
              />
            ) : (
              <Decided outcome={subject.outcome ?? ''} />
            )}
          </ReviewArticle>
        )}
      </div>
    </section>
  );
}

const fieldsOf = (form: HTMLFormElement) => [
  ...form.querySelectorAll<HTMLSelectElement | HTMLTextAreaElement>('select, textarea'),
];

/**
 * The listing that is shown. When another one takes its place, and the focus went with what was there, it gets the focus, so
 * that the next key acts on it; on narrow screens, where it stands below the list, it comes into view.
 */
function useFocusOnNext(id: string | null) {
  const article = useRef<HTMLElement>(null);
  const shown = useRef(id);
  useEffect(() => {
    if (shown.current === id) return;
    shown.current = id;
    if (matchMedia('(width < 960px)').matches) article.current?.scrollIntoView();
    if (document.activeElement === document.body) article.current?.focus({ preventScroll: true });
  }, [id]);
  return article;
}

interface SelectionProps {
  count: number;
  /** those that are selected on other pages */
  elsewhere: readonly SelectedListing[];
  more: ComponentProps<typeof BulkBar>['more'];
  pending: boolean;
  action: string;
  onClear: () => void;
}

/** The form of the boxes in the list; its button is in the bar, and before scripts have loaded above the list. */
function SelectionForm({ count, elsewhere, more, pending, action, onClear }: SelectionProps) {
  const button = (
    <Button type="submit" busy={pending}>
      Approve Selected
    </Button>
  );
  return (
    <Form id={SELECTION_FORM} method="post" action={action} preventScrollReset>
      <IntentField is={APPROVE_SELECTED} />
      {elsewhere.map((one) => (
        <input key={one.propertyId} type="hidden" name="selected" value={selectionValue(one)} />
      ))}
      <BulkBar
        count={count}
        onClear={onClear}
        more={more}
        action={<span className="ml-auto">{button}</span>}
      />
      <noscript>
        <div className="bulk">{button}</div>
      </noscript>
    </Form>
  );
}

/** What of a selection was not approved and why, until it is dismissed. */
function RestOfSelection({ answer }: { answer: DeskAnswer | undefined }): ReactNode {
  const [dismissed, setDismissed] = useState<DeskAnswer | null>(null);
  if (!answer?.notDecided?.length || dismissed === answer) return null;
  const { notDecided } = answer;
  return (
    <div className="p-4">
      <Notice
        tone="warn"
        title={`${notDecided.length} ${notDecided.length === 1 ? 'property was' : 'properties were'} not approved`}
        onDismiss={() => setDismissed(answer)}
      >
        <ul className="not-decided">
          {notDecided.map(({ propertyId, address, why }) => (
            <li key={propertyId}>
              {address}: {why}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
