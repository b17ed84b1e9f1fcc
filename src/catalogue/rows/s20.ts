import { primary, secondary } from '../message-row.js'

const OBJECT = '<OBJID> <OBJTYPE>'
const OPERATION = `${OBJECT} <OPETYPE> <OPEID>`
/** What names a recipe, and what follows its operation in that name. */
const TRAITS = '<ASSGNID> <COPYID> <REVID> <RECID> <VERID> <TYPEID> <EQID>'
const NAME = `<TIMESTAMP> <OPEID> ${TRAITS}`
const NAMES = `<L RECIPES... <L ${NAME}>>`
const RECIPES = `<L RECIPES... <L ${NAME} <RCPBODYA>>>`

/** Stream 20: recipes in sessions between an equipment and a recipe management system (SEMI E170). */
export const STREAM_20 = [
  primary(20, 1, 'SetSRO Attributes Request', 'host', 'required', {
    structure: `<L ${OBJECT} <AUTOPOST_DISABLE> <AUTOCLEAR_DISABLE> <RETAINRECIPE_DISABLE> <AUTOCLOSE>>`,
    source: 'hume',
  }),
  secondary(20, 2, 'SetSRO Attributes Acknowledge', 'equipment', { structure: '<SSAACK>', source: 'hume' }),
  primary(20, 3, 'GetOperationIDList Request', 'host', 'required', {
    structure: `<L ${OBJECT} <OPETYPE>>`,
    source: 'hume',
  }),
  secondary(20, 4, 'GetOperationIDList Acknowledge', 'equipment', {
    structure: '<L <L <OPEID>...> <GOILACK>>',
    source: 'hume',
  }),
  primary(20, 5, 'OpenConnectionEvent Send', 'equipment', 'required', {
    structure: `<L ${OBJECT} <OPETYPE> <RMSUSERID> <RMSPWD> <EQUSERID> <OPEID>>`,
    source: 'hume',
  }),
  secondary(20, 6, 'OpenConnectionEvent Acknowledge', 'host', {
    structure: '<L <OPEID> <OCEACK>>',
    source: 'hume',
  }),
  primary(20, 7, 'CloseConnectionEvent Send', 'equipment', 'required', {
    structure: `<L ${OPERATION}>`,
    source: 'hume',
  }),
  secondary(20, 8, 'CloseConnectionEvent Acknowledge', 'host', {
    structure: '<L <OPEID> <CCEACK>>',
    source: 'hume',
  }),
  primary(20, 9, 'ClearOperation Request', 'host', 'required', {
    structure: `<L ${OPERATION}>`,
    source: 'hume',
  }),
  secondary(20, 10, 'ClearOperation Acknowledge', 'equipment', { structure: '<COACK>', source: 'hume' }),
  primary(20, 11, 'GetRecipeXIDList Request', 'host', 'required', {
    structure: `<L ${OPERATION}>`,
    source: 'hume',
  }),
  secondary(20, 12, 'GetRecipeXIDList Acknowledge', 'equipment', {
    structure: `<L ${NAMES} <GRXLACK>>`,
    source: 'hume',
  }),
  // One recipe, not a list of them as its neighbours have; the second OPEID needs a name of its own.
  primary(20, 13, 'DeleteRecipe Request', 'host', 'required', {
    structure: `<L ${OPERATION} <L <TIMESTAMP> <OPEID2> ${TRAITS}>>`,
    source: 'hume',
  }),
  secondary(20, 14, 'DeleteRecipe Acknowledge', 'equipment', { structure: '<DRRACK>', source: 'hume' }),
  primary(20, 15, 'WriteRecipe Request', 'host', 'required', {
    structure: `<L ${OPERATION} ${RECIPES}>`,
    source: 'hume',
  }),
  secondary(20, 16, 'WriteRecipe Acknowledge', 'equipment', { structure: '<WRACK>', source: 'hume' }),
  primary(20, 17, 'ReadRecipe Request', 'host', 'required', {
    structure: `<L ${OPERATION} ${NAMES}>`,
    source: 'hume',
  }),
  secondary(20, 18, 'ReadRecipe Acknowledge', 'equipment', {
    structure: `<L ${RECIPES} <RRACK_S20>>`,
    source: 'hume',
  }),
  primary(20, 19, 'QueryRecipeXIDList Event Send', 'equipment', 'required', {
    structure: `<L ${OPERATION}>`,
    source: 'hume',
  }),
  secondary(20, 20, 'QueryRecipeXIDList Event Acknowledge', 'host', {
    structure: `<L <OPEID> ${NAMES} <QRXLEACK>>`,
    source: 'hume',
  }),
  primary(20, 21, 'QueryRecipe Event Send', 'equipment', 'required', {
    structure: `<L ${OPERATION} ${NAMES}>`,
    source: 'hume',
  }),
  secondary(20, 22, 'QueryRecipe Event Acknowledge', 'host', { structure: '<QREACK>', source: 'hume' }),
  primary(20, 23, 'PostRecipe Event Send', 'equipment', 'required', {
    structure: `<L ${OPERATION} ${RECIPES}>`,
    source: 'hume',
  }),
  secondary(20, 24, 'PostRecipe Event Acknowledge', 'host', { structure: '<PREACK>', source: 'hume' }),
  primary(20, 25, 'SetPRC Attributes Request', 'host', 'required', {
    structure: `<L ${OBJECT} <L <MAXNUMBER>...> <MAXTIME> <PRCPREEXECHK>>`,
    source: 'hume',
  }),
  secondary(20, 26, 'SetPRC Attributes Acknowledge', 'equipment', { structure: '<SPAACK>', source: 'hume' }),
  primary(20, 27, 'PreSpecifyRecipe Request', 'host', 'required', {
    structure: `<L ${OPERATION} <PRJOBID> ${NAMES}>`,
    source: 'hume',
  }),
  secondary(20, 28, 'PreSpecifyRecipe Acknowledge', 'equipment', { structure: '<PSRACK>', source: 'hume' }),
  primary(20, 29, 'QueryPJRecipeXIDList Event Send', 'equipment', 'required', {
    structure: `<L ${OPERATION} <PRJOBID>>`,
    source: 'hume',
  }),
  secondary(20, 30, 'QueryPJRecipeXIDList Event Acknowledge', 'host', {
    structure: `<L ${NAMES} <QPRKEACK>>`,
    source: 'hume',
  }),
  primary(20, 31, 'Pre-Exe Check Event Send', 'equipment', 'required', {
    structure: `<L ${OPERATION} <PRJOBID> <CHKINFO>>`,
    source: 'hume',
  }),
  secondary(20, 32, 'Pre-Exe Check Event Acknowledge', 'host', {
    structure: `<L <PECRSLT> ${RECIPES} <PECEACK>>`,
    source: 'hume',
  }),
  primary(20, 33, 'PreSpecifyRecipe Event Send', 'equipment', 'required', {
    structure: `<L ${OPERATION} <PRJOBID>>`,
    source: 'hume',
  }),
  secondary(20, 34, 'PreSpecifyRecipe Event Acknowledge', 'host', { structure: '<PSREACK>', source: 'hume' }),
] as const
