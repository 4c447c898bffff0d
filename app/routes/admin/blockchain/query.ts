import { type AdminListQuery, adminPaths } from '#routing/admin-paths.ts';

export const blockchainTabs = ['storage', 'tests', 'contract'] as const;
type BlockchainTab = (typeof blockchainTabs)[number];

export const tabLabels: Record<BlockchainTab, string> = {
  storage: 'Storage Status',
  tests: 'Test Documents',
  contract: 'Contract Management',
};

const dialogs = ['deploy', 'pause', 'unpause', 'base-uri', 'remove-test'] as const;
export type BlockchainDialog = (typeof dialogs)[number];

/** The page as its URL says; what is unknown is ignored. */
export function blockchainQueryFrom(params: URLSearchParams) {
  return {
    tab: blockchainTabs.find((one) => one === params.get('tab')) ?? 'storage',
    dialog: dialogs.find((one) => one === params.get('do')) ?? null,
    id: params.get('id') ?? '',
    /** the page waits for its tab: without scripts nothing can come later */
    whole: params.get('as') === 'page',
  };
}
export type BlockchainQuery = ReturnType<typeof blockchainQueryFrom>;

/** The URL of a tab. */
export const tabHref = (tab: BlockchainTab, query: AdminListQuery = {}): string =>
  adminPaths.blockchain({ tab: tab === 'storage' ? undefined : tab, ...query });
