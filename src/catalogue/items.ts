import { CODES } from './codes.js'
import {
  byte,
  bytes,
  content,
  type DataItem,
  id,
  integer,
  key,
  label,
  small,
  text,
  truth,
  value,
  words,
} from './data-item.js'
import { MATERIAL_ITEMS } from './items-material.js'
import { OBJECT_ITEMS } from './items-object.js'
import { PROGRAM_ITEMS } from './items-program.js'
import { RECIPE_ITEMS } from './items-recipe.js'

/** All data items that the messages name. */
export const ITEMS: readonly DataItem[] = [
  ...CODES,
  ...MATERIAL_ITEMS,
  ...OBJECT_ITEMS,
  ...PROGRAM_ITEMS,
  ...RECIPE_ITEMS,
  bytes('ABS', 'any bytes'),
  byte('ALCD', 'alarm code: top bit set or cleared, the other seven the category'),
  id('ALID', 'alarm ID'),
  text('ALTX', 'alarm text'),
  value('ATTRDATA', 'value of an attribute'),
  label('ATTRID', 'name of an attribute'),
  label('CCODE', 'process command'),
  truth('CEED', 'true enables, false disables'),
  id('CEID', 'collection event ID'),
  text('CENAME', 'name of a collection event'),
  value('CEPVAL', 'value of a command parameter, lists allowed'),
  label('CPNAME', 'name of a command parameter'),
  value('CPVAL', 'value of a command parameter'),
  id('DATAID', 'number that ties messages about the same data together'),
  integer('DATALENGTH', 'bytes of data to be sent'),
  id('DSID', 'data set ID'),
  text('DSPER', 'time between samples, hhmmss or hhmmsscc'),
  label('DVNAME', 'name of a data value'),
  value('DVVAL', 'data value'),
  text('DVVALNAME', 'name of a data variable'),
  value('ECDEF', 'default of an equipment constant'),
  id('ECID', 'equipment constant ID'),
  value('ECMAX', 'largest value of an equipment constant'),
  value('ECMIN', 'smallest value of an equipment constant'),
  text('ECNAME', 'name of an equipment constant'),
  value('ECV', 'value of an equipment constant'),
  words('EDID', 'what was expected'),
  text('ERRTEXT', 'error text'),
  text('EXID', 'exception ID'),
  text('EXMESSAGE', 'exception text'),
  text('EXRECVRA', 'recovery action'),
  text('EXTYPE', 'kind of exception'),
  small('FCNID', 'function number'),
  integer('LENGTH', 'length in bytes'),
  byte('LIMITID', 'limit ID'),
  value('LIMITMAX', 'largest value of a limit'),
  value('LIMITMIN', 'smallest value of a limit'),
  value('LOWERDB', 'lower end of a limit’s dead band'),
  text('MDLN', 'model of the equipment'),
  text('MEXP', 'message expected, as SxxFyy'),
  bytes('MHEAD', 'the ten header bytes of the message complained about'),
  label('OBJID', 'object ID'),
  text('OBJSPEC', 'which object is meant'),
  label('OBJTYPE', 'kind of object'),
  byte('PFCD', 'form of the data'),
  content('PPBODY', 'process program'),
  key('PPID', 'process program ID'),
  value('PPARM', 'process parameter'),
  label('RCMD', 'remote command'),
  id('REPGSZ', 'samples in a report'),
  id('RPTID', 'report ID'),
  byte('SFCD', 'form of the status data'),
  bytes('SHEAD', 'the ten header bytes of the primary that got no reply'),
  integer('SMPLN', 'number of the sample'),
  text('SOFTREV', 'software revision'),
  text('STIME', 'time of the sample'),
  small('STRID', 'stream number'),
  value('SV', 'value of a status variable'),
  value('SV0', 'empty, in the format of the value'),
  id('SVID', 'status variable ID'),
  text('SVNAME', 'name of a status variable'),
  words('TEXT', 'text to show'),
  byte('TID', 'terminal: 0 is the main one'),
  text('TIME', 'time: YYMMDDhhmmss, YYYYMMDDhhmmsscc or ISO 8601'),
  text('TIMESTAMP', 'time: YYMMDDhhmmss, YYYYMMDDhhmmsscc or ISO 8601'),
  id('TOTSMP', 'samples in all'),
  id('TRID', 'trace ID'),
  bytes('TSIP', 'state of each input port'),
  bytes('TSOP', 'state of each output port'),
  text('UNITS', 'unit of a value'),
  value('UPPERDB', 'upper end of a limit’s dead band'),
  value('V', 'value of a variable'),
  id('VID', 'variable ID'),
]

const byName = new Map(ITEMS.map((item) => [item.name, item]))

/** Undefined for a name that no message has. */
export const itemOf = (name: string): DataItem | undefined => byName.get(name)

/** A data item that a structure names; that it exists is tested for every row. */
export function itemNamed(name: string): DataItem {
  const item = itemOf(name)
  if (!item) throw new Error(`no data item ${name} in the catalogue`)
  return item
}
