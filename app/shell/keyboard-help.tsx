import { Dialog } from '#ui/dialog.tsx';

const keys: readonly { keys: string; does: string }[] = [
  { keys: 'Ctrl K  or  ⌘ K', does: 'Search everything' },
  { keys: 'Ctrl B  or  ⌘ B', does: 'Collapse or expand the sidebar' },
  { keys: '← →', does: 'Move between tabs, pictures and choices' },
  { keys: '↑ ↓', does: 'Move inside a menu' },
  { keys: 'J  K', does: 'Pending Approval: next or previous property' },
  { keys: 'X', does: 'Pending Approval: select or clear the property' },
  { keys: 'A', does: 'Pending Approval: approve' },
  { keys: 'C', does: 'Pending Approval: request changes' },
  { keys: 'R', does: 'Pending Approval: reject' },
  { keys: 'Esc', does: 'Close a menu, dialog or message' },
];

/** The keyboard shortcuts of the admin area. */
export function KeyboardHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <dl className="ledger">
        {keys.map((row) => (
          <div key={row.keys}>
            <dt>{row.does}</dt>
            <dd>
              <kbd>{row.keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
