import { RecordHistory } from '#features/audit/components/record-history.tsx';
import type { RecordHistoryPage } from '#features/audit/model.ts';
import { Drawer, DrawerFacts, DrawerSection } from '#ui/drawer.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { appliesToText, feeAmountText, feeTypeNames, type ManagedFee } from '../managed.ts';

interface Props {
  /** null while the drawer is closed; `history` is null when it could not be loaded */
  shown: { fee: ManagedFee & { used: boolean }; history: RecordHistoryPage | null } | null;
  closeHref: string;
  historyHref: (id: string, before: number | null) => string;
}

/** The details of a fee and how it was changed, in a drawer. */
export function FeeDrawer({ shown, closeHref, historyHref }: Props) {
  return (
    <Drawer
      closeHref={closeHref}
      content={
        shown && {
          title: shown.fee.name,
          text: `${feeAmountText(shown.fee)} · ${appliesToText(shown.fee.appliesTo)}`,
          children: (
            <>
              <DrawerSection>
                <DrawerFacts facts={factsOf(shown.fee)} />
              </DrawerSection>
              <DrawerSection>
                <RecordHistory history={shown.history} href={(before) => historyHref(shown.fee.id, before)} />
              </DrawerSection>
            </>
          ),
        }
      }
    />
  );
}

const factsOf = (fee: ManagedFee & { used: boolean }) =>
  [
    ['Type', feeTypeNames[fee.type]],
    ['Status', fee.archivedAt ? 'Archived' : fee.active ? 'Active' : 'Inactive'],
    ['Charged so far', fee.used ? 'Yes' : 'Never'],
    ['Added', <LocalTime key="added" of={fee.createdAt} as="date" />],
    ['Archived', fee.archivedAt && <LocalTime key="archived" of={fee.archivedAt} as="date" />],
  ] as const;
