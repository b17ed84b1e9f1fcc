import { Catalogue } from './catalogue.js'
import { ITEMS } from './items/all-items.js'
import { STANDARD_ROWS } from './rows/standard-rows.js'

/** The messages and items of SEMI's standards, as far as public documents describe them. */
export const STANDARD_CATALOGUE = new Catalogue(STANDARD_ROWS, ITEMS)
