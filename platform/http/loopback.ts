/** Whether the name of a URL's host stands for this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
