import { hostname } from 'node:os'

const WILDCARD = /^(0\.0\.0\.0|::)$/

/** A host in a URL. */
const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Where this machine reaches a daemon that listens on `host`: one that stands for every address is loopback. */
export const localHost = (host: string): string =>
  WILDCARD.test(host) ? (host === '::' ? '[::1]' : '127.0.0.1') : urlHost(host)

/** Where other machines reach it, as far as that is known: by the name of this one, where it listens on every address. */
export const remoteHost = (host: string): string => (WILDCARD.test(host) ? hostname() : urlHost(host))
