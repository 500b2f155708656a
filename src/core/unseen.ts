/**
 * The characters that a person does not see and a model reads: soft hyphens, fillers, bidirectional controls, zero-width characters, formats of
 * shorthand and music, tags, selectors that can carry bytes. The joiners of scripts and emoji stay.
 */
const unseen =
  /[\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]/u;
const each = new RegExp(unseen.source, "gu");

export const withoutUnseen = (text: string): string => text.replace(each, "");

export const holdsUnseen = (text: string): boolean => unseen.test(text);

/** Of what shows nothing where it stands alone: blanks of all kinds, controls, and what no font draws. */
const shown = /[^\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/** Tells whether a person would see nothing of it: no text, or nothing but blanks, zero-width characters and fillers. */
export const showsNothing = (text: string): boolean => !shown.test(text);
