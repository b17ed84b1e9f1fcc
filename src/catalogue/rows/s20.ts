import { equipment, host, stream } from '../message-row.js'

const OBJECT = '<OBJID> <OBJTYPE>'
const OPERATION = `${OBJECT} <OPETYPE> <OPEID>`
/** What names a recipe, and what follows its operation in that name. */
const TRAITS = '<ASSGNID> <COPYID> <REVID> <RECID> <VERID> <TYPEID> <EQID>'
const NAME = `<TIMESTAMP> <OPEID> ${TRAITS}`
const NAMES = `<L RECIPES... <L ${NAME}>>`
const RECIPES = `<L RECIPES... <L ${NAME} <RCPBODYA>>>`

/** Stream 20: recipes in sessions between an equipment and a recipe management system (SEMI E170). */
export const STREAM_20 = stream(
  'hume',
  host('S20F1 W', 'SetSRO Attributes Request', [
    `<L ${OBJECT} <AUTOPOST_DISABLE> <AUTOCLEAR_DISABLE> <RETAINRECIPE_DISABLE> <AUTOCLOSE>>`,
  ]),
  equipment('S20F2', 'SetSRO Attributes Acknowledge', '<SSAACK>'),
  host('S20F3 W', 'GetOperationIDList Request', `<L ${OBJECT} <OPETYPE>>`),
  equipment('S20F4', 'GetOperationIDList Acknowledge', '<L <L <OPEID>...> <GOILACK>>'),
  equipment('S20F5 W', 'OpenConnectionEvent Send', [
    `<L ${OBJECT} <OPETYPE> <RMSUSERID> <RMSPWD> <EQUSERID> <OPEID>>`,
  ]),
  host('S20F6', 'OpenConnectionEvent Acknowledge', '<L <OPEID> <OCEACK>>'),
  equipment('S20F7 W', 'CloseConnectionEvent Send', `<L ${OPERATION}>`),
  host('S20F8', 'CloseConnectionEvent Acknowledge', '<L <OPEID> <CCEACK>>'),
  host('S20F9 W', 'ClearOperation Request', `<L ${OPERATION}>`),
  equipment('S20F10', 'ClearOperation Acknowledge', '<COACK>'),
  host('S20F11 W', 'GetRecipeXIDList Request', `<L ${OPERATION}>`),
  equipment('S20F12', 'GetRecipeXIDList Acknowledge', `<L ${NAMES} <GRXLACK>>`),
  // One recipe, not a list of them as its neighbours have; the second OPEID needs a name of its own.
  host('S20F13 W', 'DeleteRecipe Request', `<L ${OPERATION} <L <TIMESTAMP> <OPEID2> ${TRAITS}>>`),
  equipment('S20F14', 'DeleteRecipe Acknowledge', '<DRRACK>'),
  host('S20F15 W', 'WriteRecipe Request', `<L ${OPERATION} ${RECIPES}>`),
  equipment('S20F16', 'WriteRecipe Acknowledge', '<WRACK>'),
  host('S20F17 W', 'ReadRecipe Request', `<L ${OPERATION} ${NAMES}>`),
  equipment('S20F18', 'ReadRecipe Acknowledge', `<L ${RECIPES} <RRACK_S20>>`),
  equipment('S20F19 W', 'QueryRecipeXIDList Event Send', `<L ${OPERATION}>`),
  host('S20F20', 'QueryRecipeXIDList Event Acknowledge', `<L <OPEID> ${NAMES} <QRXLEACK>>`),
  equipment('S20F21 W', 'QueryRecipe Event Send', `<L ${OPERATION} ${NAMES}>`),
  host('S20F22', 'QueryRecipe Event Acknowledge', '<QREACK>'),
  equipment('S20F23 W', 'PostRecipe Event Send', `<L ${OPERATION} ${RECIPES}>`),
  host('S20F24', 'PostRecipe Event Acknowledge', '<PREACK>'),
  host('S20F25 W', 'SetPRC Attributes Request', `<L ${OBJECT} <L <MAXNUMBER>...> <MAXTIME> <PRCPREEXECHK>>`),
  equipment('S20F26', 'SetPRC Attributes Acknowledge', '<SPAACK>'),
  host('S20F27 W', 'PreSpecifyRecipe Request', `<L ${OPERATION} <PRJOBID> ${NAMES}>`),
  equipment('S20F28', 'PreSpecifyRecipe Acknowledge', '<PSRACK>'),
  equipment('S20F29 W', 'QueryPJRecipeXIDList Event Send', `<L ${OPERATION} <PRJOBID>>`),
  host('S20F30', 'QueryPJRecipeXIDList Event Acknowledge', `<L ${NAMES} <QPRKEACK>>`),
  equipment('S20F31 W', 'Pre-Exe Check Event Send', `<L ${OPERATION} <PRJOBID> <CHKINFO>>`),
  host('S20F32', 'Pre-Exe Check Event Acknowledge', `<L <PECRSLT> ${RECIPES} <PECEACK>>`),
  equipment('S20F33 W', 'PreSpecifyRecipe Event Send', `<L ${OPERATION} <PRJOBID>>`),
  host('S20F34', 'PreSpecifyRecipe Event Acknowledge', '<PSREACK>'),
)
