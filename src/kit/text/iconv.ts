import { createRequire } from 'node:module'

/** Loaded by the first that needs it: its tables are large, and most equipment uses Latin-1. */
export const loadIconv = (): typeof import('iconv-lite') => createRequire(import.meta.url)('iconv-lite')
