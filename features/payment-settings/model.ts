/** An outside service that the environment configures, without its secrets. */
export interface ConfiguredService {
  name: string;
  configured: boolean;
  /** 'live' moves real money, 'test' is the provider's own sandbox, 'sandbox' is ours; null where there are no modes */
  mode: 'live' | 'test' | 'sandbox' | null;
  /** in a sentence: what serves now */
  text: string;
  /** the variables that configure it */
  variables: string;
}
