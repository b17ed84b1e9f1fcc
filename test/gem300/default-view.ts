import { DEFAULT_VARIANTS, type Gem300View } from '../../src/gem300/variants.js'

/** How bodies of equipment are built and read that differs in nothing. */
export const DEFAULT_VIEW: Gem300View = { variants: DEFAULT_VARIANTS }
