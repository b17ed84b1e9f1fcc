import { acknowledge, code, type DataItem, small, text, value } from '../data-item.js'

const DONE_OR_ERROR = '0 done; 1 error'
const ON_OR_OFF = '0 left on; 1 turned off'
const ONE_BYTE = { formats: ['U1'] } as const

/** Recipes in sessions: the items that only stream 20 has. */
export const RECIPE_SESSION_ITEMS: readonly DataItem[] = [
  acknowledge('CCEACK', 'reply to the end of a session', DONE_OR_ERROR, ONE_BYTE),
  acknowledge('COACK', 'reply to clearing an operation', DONE_OR_ERROR, ONE_BYTE),
  acknowledge('DRRACK', 'reply to deleting a recipe', DONE_OR_ERROR, ONE_BYTE),
  acknowledge('GOILACK', 'reply to the request for operations', DONE_OR_ERROR, ONE_BYTE),
  acknowledge('GRXLACK', 'reply to the request for recipe names', DONE_OR_ERROR, ONE_BYTE),
  acknowledge('OCEACK', 'reply to the start of a session', '0 done; 1 OK; 2 not OK; 3 error', {
    ...ONE_BYTE,
    accepts: [0, 1],
  }),
  acknowledge('PECEACK', 'reply to the request for a check', DONE_OR_ERROR, ONE_BYTE),
  acknowledge('PREACK', 'reply to recipes that an equipment posts', DONE_OR_ERROR, ONE_BYTE),
  acknowledge('PSRACK', 'reply to the choice of recipes', DONE_OR_ERROR, ONE_BYTE),
  acknowledge('PSREACK', 'reply to the request for a choice of recipes', DONE_OR_ERROR, ONE_BYTE),
  acknowledge('QPRKEACK', 'reply to the query for the recipes of a job', DONE_OR_ERROR, ONE_BYTE),
  acknowledge('QREACK', 'reply to the query for recipes', DONE_OR_ERROR, ONE_BYTE),
  acknowledge('QRXLEACK', 'reply to the query for recipe names', DONE_OR_ERROR, ONE_BYTE),
  acknowledge(
    'RRACK_S20',
    'reply to reading recipes; the standard calls it RRACK, as the one of S4F18',
    DONE_OR_ERROR,
    ONE_BYTE,
  ),
  acknowledge('SSAACK', 'reply to setting up sessions', DONE_OR_ERROR, ONE_BYTE),
  acknowledge('WRACK', 'reply to writing recipes', DONE_OR_ERROR, ONE_BYTE),
  code('PECRSLT', 'result of a check', '0 passed; 1 failed', ONE_BYTE),
  code('ASSGNID', 'who assigned the recipe ID', '0 RMSASN', { ...ONE_BYTE, open: true }),
  code('AUTOCLEAR_DISABLE', 'clearing recipes when an equipment goes to local', ON_OR_OFF, ONE_BYTE),
  code('AUTOPOST_DISABLE', 'posting recipes before an equipment goes to local', ON_OR_OFF, ONE_BYTE),
  code('PRCPREEXECHK', 'whether recipes are checked before a job', '0 no; 1 yes', ONE_BYTE),
  code('RETAINRECIPE_DISABLE', 'keeping recipes when a session ends', ON_OR_OFF, ONE_BYTE),
  small('AUTOCLOSE', 'time after which an idle session is closed; 0 means never'),
  value('CHKINFO', 'input of a check'),
  small('COPYID', 'kind of copy of a recipe'),
  text('EQID', 'equipment that a recipe fits'),
  text('EQUSERID', 'user of the equipment'),
  small('MAXNUMBER', 'recipes that may be kept for jobs'),
  small('MAXTIME', 'time for which a recipe is kept after its use, in minutes; 0 when that does not apply'),
  text('OPEID', 'operation ID of a session'),
  text('OPEID2', 'operation ID in the name of a recipe'),
  small('OPETYPE', 'kind of operation'),
  value('RCPBODYA', 'recipe body, lists allowed'),
  text('RECID', 'recipe specifier or process program ID'),
  text('REVID', 'revision of a recipe'),
  text('RMSPWD', 'password of the user of the recipe management system'),
  text('RMSUSERID', 'user of the recipe management system'),
  small('TYPEID', 'kind of recipe'),
  text('VERID', 'version of a recipe'),
]
