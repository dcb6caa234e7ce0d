/**
 * What a room keeps of the language: the own names of each built-in object that strategies can reach, by the path of the object. Whatever is not
 * named here is taken away, so what another version of V8 adds is absent. A symbol is written with `@@`. A function keeps `length`, `name` and
 * `prototype`, and each object `constructor` and `@@toStringTag`.
 *
 * What depends on anything but the inputs of a run, acts outside of a call, or takes memory away from others has no place here:
 * - clocks, chance, locales, shared memory, weak references, `WebAssembly`, code from text;
 * - a reading of a number's bits (`ArrayBuffer`, `DataView`): which bits NaN has depends on what V8 has compiled. The `buffer` of a typed array is named, and throws;
 * - `Proxy`, whose traps are called, with lists and frames of whoever touches it, where no other object calls anything;
 * - symbols of the registry (`Symbol.for`), which are those of every realm: Node calls functions that stand under one of them.
 */
export const KEPT_NAMES: Readonly<Record<string, string>> = {
  globalThis: `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Promise RegExp Error AggregateError EvalError
    RangeError ReferenceError SyntaxError TypeError URIError SuppressedError globalThis JSON Math Uint8Array Int8Array Uint16Array Int16Array Uint32Array
    Int32Array BigUint64Array BigInt64Array Uint8ClampedArray Float16Array Float32Array Float64Array Map BigInt Set Iterator WeakMap WeakSet Reflect
    decodeURI decodeURIComponent encodeURI encodeURIComponent isFinite isNaN DisposableStack AsyncDisposableStack`,
  'Object.getPrototypeOf(globalThis)': '',
  Object: `assign getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols hasOwn is preventExtensions seal create
    defineProperties defineProperty freeze getPrototypeOf setPrototypeOf isExtensible isFrozen isSealed keys entries fromEntries values groupBy`,
  'Object.prototype': `__defineGetter__ __defineSetter__ hasOwnProperty __lookupGetter__ __lookupSetter__ isPrototypeOf propertyIsEnumerable toString valueOf
    __proto__`,
  Function: '',
  'Function.prototype': 'apply bind call toString @@hasInstance',
  Array: 'isArray from fromAsync of @@species',
  'Array.prototype': `length at concat copyWithin fill find findIndex findLast findLastIndex lastIndexOf pop push reverse shift unshift slice sort splice includes
    indexOf join keys entries values forEach filter flat flatMap map every some reduce reduceRight toReversed toSorted toSpliced with toString @@iterator
    @@unscopables`,
  'Array.prototype.@@unscopables': `at copyWithin entries fill find findIndex findLast findLastIndex flat flatMap includes keys toReversed toSorted toSpliced
    values`,
  Number: `isFinite isInteger isNaN isSafeInteger parseFloat parseInt MAX_VALUE MIN_VALUE NaN NEGATIVE_INFINITY POSITIVE_INFINITY MAX_SAFE_INTEGER
    MIN_SAFE_INTEGER EPSILON`,
  'Number.prototype': 'toExponential toFixed toPrecision toString valueOf',
  Boolean: '',
  'Boolean.prototype': 'toString valueOf',
  String: 'fromCharCode fromCodePoint raw',
  'String.prototype': `length anchor at big blink bold charAt charCodeAt codePointAt concat endsWith fontcolor fontsize fixed includes indexOf isWellFormed italics
    lastIndexOf link match matchAll normalize padEnd padStart repeat replace replaceAll search slice small split strike sub substr substring sup startsWith
    toString toWellFormed trim trimStart trimLeft trimEnd trimRight toLowerCase toUpperCase valueOf @@iterator`,
  Symbol: `asyncIterator hasInstance isConcatSpreadable iterator match matchAll replace search species split toPrimitive toStringTag unscopables dispose
    asyncDispose`,
  'Symbol.prototype': 'toString valueOf description @@toPrimitive',
  Date: 'now parse UTC',
  'Date.prototype': `toString toDateString toTimeString toISOString toUTCString toGMTString getDate setDate getDay getFullYear setFullYear getHours setHours
    getMilliseconds setMilliseconds getMinutes setMinutes getMonth setMonth getSeconds setSeconds getTime setTime getTimezoneOffset getUTCDate setUTCDate
    getUTCDay getUTCFullYear setUTCFullYear getUTCHours setUTCHours getUTCMilliseconds setUTCMilliseconds getUTCMinutes setUTCMinutes getUTCMonth setUTCMonth
    getUTCSeconds setUTCSeconds valueOf getYear setYear toJSON @@toPrimitive`,
  Promise: 'all allSettled any race resolve reject withResolvers try @@species',
  'Promise.prototype': 'then catch finally',
  RegExp: 'escape @@species',
  'RegExp.prototype': `exec dotAll flags global hasIndices ignoreCase multiline source sticky unicode unicodeSets compile toString test @@match @@matchAll
    @@replace @@search @@split`,
  Error: 'isError stackTraceLimit',
  'Error.prototype': 'message name stack toString',
  AggregateError: '', 'AggregateError.prototype': 'message name',
  EvalError: '', 'EvalError.prototype': 'message name',
  RangeError: '', 'RangeError.prototype': 'message name',
  ReferenceError: '', 'ReferenceError.prototype': 'message name',
  SuppressedError: '', 'SuppressedError.prototype': 'message name',
  SyntaxError: '', 'SyntaxError.prototype': 'message name',
  TypeError: '', 'TypeError.prototype': 'message name',
  URIError: '', 'URIError.prototype': 'message name',
  JSON: 'parse stringify rawJSON isRawJSON',
  Math: `abs acos acosh asin asinh atan atanh atan2 ceil cbrt expm1 clz32 cos cosh exp floor fround hypot imul log log1p log2 log10 max min pow round sign sin
    sinh sqrt tan tanh trunc E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 f16round`,
  Reflect: `defineProperty deleteProperty apply construct get getOwnPropertyDescriptor getPrototypeOf has isExtensible ownKeys preventExtensions set
    setPrototypeOf`,
  TypedArray: 'of from @@species',
  'TypedArray.prototype': `buffer byteLength byteOffset length entries keys values at copyWithin every fill filter find findIndex findLast findLastIndex forEach
    includes indexOf join lastIndexOf map reverse reduce reduceRight set slice some sort subarray toReversed toSorted with toString @@iterator`,
  Uint8Array: 'BYTES_PER_ELEMENT', 'Uint8Array.prototype': 'BYTES_PER_ELEMENT',
  Int8Array: 'BYTES_PER_ELEMENT', 'Int8Array.prototype': 'BYTES_PER_ELEMENT',
  Uint16Array: 'BYTES_PER_ELEMENT', 'Uint16Array.prototype': 'BYTES_PER_ELEMENT',
  Int16Array: 'BYTES_PER_ELEMENT', 'Int16Array.prototype': 'BYTES_PER_ELEMENT',
  Uint32Array: 'BYTES_PER_ELEMENT', 'Uint32Array.prototype': 'BYTES_PER_ELEMENT',
  Int32Array: 'BYTES_PER_ELEMENT', 'Int32Array.prototype': 'BYTES_PER_ELEMENT',
  BigUint64Array: 'BYTES_PER_ELEMENT', 'BigUint64Array.prototype': 'BYTES_PER_ELEMENT',
  BigInt64Array: 'BYTES_PER_ELEMENT', 'BigInt64Array.prototype': 'BYTES_PER_ELEMENT',
  Uint8ClampedArray: 'BYTES_PER_ELEMENT', 'Uint8ClampedArray.prototype': 'BYTES_PER_ELEMENT',
  Float16Array: 'BYTES_PER_ELEMENT', 'Float16Array.prototype': 'BYTES_PER_ELEMENT',
  Float32Array: 'BYTES_PER_ELEMENT', 'Float32Array.prototype': 'BYTES_PER_ELEMENT',
  Float64Array: 'BYTES_PER_ELEMENT', 'Float64Array.prototype': 'BYTES_PER_ELEMENT',
  Map: 'groupBy @@species',
  'Map.prototype': 'get set has delete clear entries forEach keys size values @@iterator',
  BigInt: 'asUintN asIntN',
  'BigInt.prototype': 'toString valueOf',
  Set: '@@species',
  'Set.prototype': `has add delete difference clear entries forEach intersection isSubsetOf isSupersetOf isDisjointFrom size symmetricDifference union values
    keys @@iterator`,
  WeakMap: '', 'WeakMap.prototype': 'delete get set has',
  WeakSet: '', 'WeakSet.prototype': 'add delete has',
  DisposableStack: '', 'DisposableStack.prototype': 'use dispose adopt defer move disposed @@dispose',
  AsyncDisposableStack: '', 'AsyncDisposableStack.prototype': 'use disposeAsync adopt defer move disposed @@asyncDispose',
  Iterator: 'from',
  'Iterator.prototype': 'reduce toArray forEach some every find map filter take drop flatMap @@iterator @@dispose',
  ArrayIterator: 'next', StringIterator: 'next', MapIterator: 'next', SetIterator: 'next', RegExpStringIterator: 'next', WrappedIterator: 'next return',
  IteratorHelper: 'next return',
  GeneratorFunction: '', 'GeneratorFunction.prototype': 'prototype', 'GeneratorFunction.prototype.prototype': 'next return throw',
  AsyncFunction: '', 'AsyncFunction.prototype': '',
  AsyncGeneratorFunction: '', 'AsyncGeneratorFunction.prototype': 'prototype', 'AsyncGeneratorFunction.prototype.prototype': 'next return throw',
  AsyncIterator: '@@asyncIterator @@asyncDispose',
}
