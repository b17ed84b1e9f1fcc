import type { Live } from '../gateway/live.js'

/** What a page is given. */
export interface PageProps {
  readonly live: Live
  /** The parts of the path that the page's row names, such as `id`. */
  readonly params: Readonly<Record<string, string>>
}
