/** A chain by its id. */
interface Network {
  /** as in the database */
  name: string;
  label: string;
  /** contracts may be deployed and changed from the pages of administrators */
  test: boolean;
  /** the explorer's address, null for a chain that has none */
  explorer: string | null;
}

/** The name of a chain on this machine. */
const LOCAL_NETWORK = 'local';

const networks: Readonly<Record<number, Network>> = {
  31337: { name: LOCAL_NETWORK, label: 'Local chain', test: true, explorer: null },
  8453: { name: 'base', label: 'Base', test: false, explorer: 'https://basescan.org' },
  84532: {
    name: 'base-sepolia',
    label: 'Base Sepolia',
    test: true,
    explorer: 'https://sepolia.basescan.org',
  },
};

/** A chain by its id; one that is not known counts as a main network and has no explorer. */
export const networkOf = (chainId: number): Network =>
  networks[chainId] ?? { name: `chain-${chainId}`, label: `Chain ${chainId}`, test: false, explorer: null };

/** A chain by its name in the database, or null. */
export const networkNamed = (name: string): Network | null =>
  Object.values(networks).find((network) => network.name === name) ?? null;
