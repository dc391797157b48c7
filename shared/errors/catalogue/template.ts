import type { CatalogueEntry } from '../entry.ts'

/**
 * Opening, compiling and executing a template. Clients see the code w101, which means that the template
 * failed.
 */
const failed = { status: 500, blame: 'caller', wire: 'w101' } as const
const unreadable = { status: 500, blame: 'document', wire: 'w101' } as const

export const templateErrors = {
  'template.tag.unclosed': {
    ...failed,
    message: 'Missing at least one showEnd or hideEnd: {tag} is never closed.',
    hint: 'Add {expected} after it.',
  },
  'template.tag.unopened': {
    ...failed,
    message: 'Missing at least one showBegin or hideBegin before {tag}.',
    hint: 'Add the begin tag, or remove this one.',
  },
  'template.tag.syntax': {
    ...failed,
    message: 'Tag {tag} cannot be read: {because}.',
    hint: '{advice}',
  },
  'template.tag.too-long': {
    ...failed,
    message: 'A tag is longer than {limit} characters.',
    hint: 'Look for a missing closing brace.',
  },
  'template.alias.too-large': {
    ...failed,
    message: 'The aliases of the template expand to more than {limit} characters.',
    hint: 'Use shorter aliases, or fewer uses of them.',
  },
  'template.tag.too-many': { ...failed, message: 'The template has more than {limit} tags.' },
  'template.chart.binding': {
    ...failed,
    message: '{tag} cannot be bound to a cell of the chart: {because}.',
    hint: 'Write a different number into each value cell, and bind each number once.',
  },
  'template.color.binding': {
    ...failed,
    message: '{tag} cannot bind a colour: {because}.',
    hint: 'Bind each colour of the template once, with the format of the colour in the data, as in bindColor(ff0000, #hexa) = d.color.',
  },
  'template.formatter.unknown': {
    ...failed,
    message: 'Formatter "{name}" does not exist.{meant}',
    hint: '{advice}',
  },
  'template.formatter.arguments': {
    ...failed,
    message: 'Formatter "{name}" in {tag}: {because}.',
  },
  'template.arithmetic': {
    ...failed,
    message: 'Bad Mathematical Expression in "{text}"',
    hint: 'Join numbers and paths such as .price or d.rate by + - * /; there are no parentheses.',
  },
  'template.path.too-high': {
    ...failed,
    message: 'Cannot access parent object in "{tag}" (too high)',
    hint: 'Two dots lead to the parent, and each further dot one level higher. A list and its item count as one level.',
  },
  'template.path.iterator': {
    ...failed,
    message: '{tag} reads [{iterator}] of "{array}" in an argument, but is not inside a loop over it.',
    hint: 'Write [.i] for the item at the index of the loop, or a search such as [id=.id] for another one. To read all items, use an aggregator in a tag of its own.',
  },
  'template.loop.unclosed': {
    ...failed,
    message: 'The marker {tag} has no corresponding [i+1] for array "{array}".',
    hint: 'Write {next} where the next item begins, in the same section of the document.',
  },
  'template.loop.unopened': {
    ...failed,
    message: 'The marker {tag} has no corresponding [i] for array "{array}".',
    hint: 'Write a sample of the item with {first} before it, in the same section of the document.',
  },
  'template.loop.sample-removed': {
    ...failed,
    message:
      'The sample {sample} of array "{array}" is in the part that the [i+1] of another loop marks. That part is removed, so {tag} ends nothing.',
    hint: 'Give each list rows of its own: begin the second list below the [i+1] of the first.',
  },
  'template.loop.region': {
    ...failed,
    message: 'No part of the document to repeat was found between {tag} and {end}.',
    hint: 'Put both tags in the text, or both in the same attribute.',
  },
  'template.loop.interleaved': {
    ...failed,
    message: 'The loops of {tag} and {other} overlap without one being inside the other.',
    hint: 'Close the inner loop before the outer one.',
  },
  'template.loop.crossed': {
    ...failed,
    message:
      '{tag} and {otherTag} repeat the same part of the document over two independent lists, "{array}" and "{other}".',
    hint: 'Repeat over one list and read the other at the same index, as in d.a[i].n:print(..b[.i].m), or search it; or give each list rows of its own.',
  },
  'template.loop.too-deep': { ...failed, message: 'Loops are nested more than {limit} levels deep.' },
  'template.loop.repeat': { ...failed, message: 'The repeater cannot be above {limit}' },
  'template.block.overlap': {
    ...failed,
    message: 'The block of {tag} crosses the edge of a repeated part.',
    hint: 'Begin and end the block on the same side of the loop.',
  },
  'template.block.too-deep': { ...failed, message: 'Blocks are nested more than {limit} levels deep.' },
  'template.formatter.last': {
    ...failed,
    message: 'Nothing may follow formatter "{name}" in {tag}.',
    hint: 'End the tag with "{name}", and print the value with a tag of its own.',
  },
  'template.element.unknown': {
    ...failed,
    message: '{tag}: "{element}" is not an element that can be dropped or kept in {format}.',
    hint: 'Use one of: {known}.',
  },
  'template.element.missing': {
    ...failed,
    message: '{tag} is not inside an element of the kind "{element}".',
    hint: 'Move the tag into the element it should remove.',
  },
  'template.element.column': {
    ...failed,
    message:
      '{tag} asks each item of a loop over columns, but a column is dropped or kept for all items together.',
    hint: 'Leave items out by a filter of the loop in all rows, as in d.l[i, n>1].n and d.l[i+1, n>1].n.',
  },
  'template.several': { ...failed, message: '{count} errors in the template. {first}' },
  'template.markup': {
    ...unreadable,
    message: '{part} is not well-formed: {because} at character {offset}.',
    hint: 'Open the file in the program that made it and save it again.',
  },
  'template.doctype': {
    ...unreadable,
    message: '{part} declares a document type or entities, which is not accepted.',
    hint: 'Remove the DOCTYPE.',
  },
  'template.markup-items': {
    ...unreadable,
    message: '{part} has more than {limit} elements and texts, which need more memory than this host has.',
    hint: 'Repeat rows with a loop, or split the template. Operators of an edge: set `SERVICE_ORIGIN_URL`; an origin allows 20,000,000.',
  },
  'template.too-deep': { ...unreadable, message: '{part} is nested more than {limit} elements deep.' },
  'template.format': {
    ...failed,
    message: 'Files of type {format} cannot contain tags.',
    hint: 'Use one of: {known}.',
  },
  'template.timezone': { ...failed, message: 'Unknown Time Zone {name}' },
  'template.iterations': { ...failed, message: 'The render repeats more than {limit} blocks.' },
  'template.output': { ...failed, message: 'The rendered {part} is larger than {limit} bytes.' },
  'template.sheet.too-large': {
    ...failed,
    message: 'A sheet would have more than {limit} {what}, the most a spreadsheet can hold.',
    hint: 'Split the data over several sheets or files.',
  },
  'template.data': {
    ...failed,
    status: 400,
    message: 'Invalid JSON in {field}: {because}',
    hint: 'Send valid JSON.',
  },
  'template.image': {
    ...failed,
    message: 'A picture could not be loaded: {because}.',
    hint: 'Check the addresses of pictures in the data, or leave "IMAGE_URL_ERROR" out of failOn.',
  },
  'template.picture': {
    ...failed,
    message: '{what}',
    hint: 'Check the addresses of pictures in the document, or leave "IMAGE_URL_ERROR" out of failOn.',
  },
  'template.html': {
    ...failed,
    message: 'An HTML text for a tag with :html cannot be read: {because}.',
    hint: 'Shorten the text or split it over several tags.',
  },
  'template.files.too-many': {
    ...failed,
    message: 'A render joins and embeds at most {limit} files.',
    hint: 'Join files beforehand, or split the render.',
  },
  'template.files.failed': {
    ...failed,
    message: 'A file for {formatter} could not be used: {because}.',
    hint: 'Check the address or the data URI in the data.',
  },
  'template.files.nested': {
    ...failed,
    message: 'A template that is appended cannot append templates itself.',
    hint: 'Append them all from the first template.',
  },
  'template.style-source': {
    ...failed,
    message: 'The style source of the template could not be used: {because}.',
    hint: 'Let o.styleSource name the Template ID or Version ID of a stored DOCX or ODT template.',
  },
  'template.stopped': { status: 500, blame: 'us', message: 'Timeout: the merge was stopped.', wire: 'w101' },

  'package.not-a-zip': {
    ...unreadable,
    message: 'This {format} file is not a ZIP package.',
    hint: 'Check that the complete file was sent and that it is not in another format.',
  },
  'package.incomplete': {
    status: 415,
    blame: 'document',
    // The beginning is that of 'api.template.format', which clients compare.
    message:
      'Template format not supported, it must be an XML-based or Text-based document: DOCX, XLSX, PPTX, ODT, ODS, ODP, ODG, XHTML, IDML, HTML, TXT, MD, CSV, XML, SVG, etc... This {format} file has no part "{part}", which holds its content.',
    hint: 'Open the file in the program that made it and save it again.',
    wire: 'w118',
  },
  'package.damaged': {
    ...unreadable,
    message: 'This file is damaged: {because}.',
    hint: 'Open the file in the program that made it and save it again.',
  },
  'package.encrypted': {
    ...unreadable,
    message: 'This file is protected with a password.',
    hint: 'Send it without a password.',
  },
  'package.too-large': { ...unreadable, message: 'This file unpacks to more than {limit} bytes.' },
  'package.too-dense': {
    ...unreadable,
    message: 'This file unpacks to more than {limit} times its size, which is not accepted.',
  },
  'package.too-many-entries': { ...unreadable, message: 'This file holds more than {limit} entries.' },
  'package.entry-name': {
    ...unreadable,
    message:
      'This file holds an entry with a forbidden name: it points outside of the package, or it appears twice.',
  },
  'package.unsupported': {
    ...unreadable,
    message: 'This file uses a ZIP feature that is not supported: {feature}.',
  },
} as const satisfies Record<string, CatalogueEntry>
