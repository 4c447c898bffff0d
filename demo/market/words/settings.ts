import type { Setting } from '../towns.ts';

/** Sentences about the landscape around a house or lot. */
export const SETTING_SENTENCES: Record<Setting, readonly string[]> = {
  forest: [
    'Behind the house the trail goes straight into the trees and does not come out for six miles.',
    'Cedars stand on three sides and {view} on the fourth.',
    'You can hear {water} from the bedroom windows when the rain has been good.',
    'Ferns, moss and morning fog until ten, then sun.',
    'The woodshed is full, and the woods behind it see to next year.',
    'Owls at night, woodpeckers by day, and very little else.',
  ],
  valley: [
    'The view runs down over {view} to the far side of the valley.',
    'In April the whole slope is in blossom, and you can smell it from the steps.',
    'Fruit stands open at the bottom of the road from June to October.',
    'The valley wind arrives at three in the afternoon and makes the porch the place to be.',
    'From the upper windows you see {water} and the rows beyond it.',
    'Good soil, a long season and water rights that are recorded.',
  ],
  coast: [
    'You smell the tide before you see it, and you see it from upstairs.',
    'From the front step it is a short walk down to {water}.',
    'The foghorn is far enough away to be company.',
    'On a clear day the view takes in {view} and everything that passes it.',
    'Storm shutters are fitted all round and stored in numbered slots.',
    'Built for salt air: copper flashing, bronze hinges, no excuses.',
  ],
  lake: [
    'A path of forty steps leads down toward {water}.',
    'The dock is shared with two neighbors who keep it better than most.',
    'In January people skate past; in July they row.',
    'The screens on the porch are there for a reason, and they work.',
    'Loons in spring, sails in summer, ice by Christmas.',
    'The house faces {view}, and so will you.',
  ],
  mountain: [
    'At this height the nights are cool all summer and the stars are not decoration.',
    '{View} fill the west windows and turn pink at six.',
    'Elk come through in October as though they had an appointment.',
    'The ditch from {water} runs along the fence and carries two shares.',
    'Plowed road, south-facing drive, and a wood stove for the one week you need it.',
    'Skis, bikes and boots all fit in the gear room by the side door.',
  ],
  desert: [
    'Evenings are for the portal, with {view} going red across the way.',
    'Thick walls keep the rooms cool until four without any help.',
    'Rainwater from the roof feeds the fig and the pomegranate.',
    'The garden is gravel, agave and shade, and asks for one hour a month.',
    'After rain the whole yard smells of creosote and sage.',
    '{Water} runs within earshot when it runs at all.',
  ],
  prairie: [
    'To the west there is nothing taller than grass until you reach {view}.',
    'The windbreak was planted in 1938 and earns its keep every March.',
    'Meadowlarks on the fence posts and a sky that takes up most of the view.',
    'Native limestone at the foundation, the steps and the garden wall.',
    'You can watch a storm come for an hour before it is time to go in.',
    '{Water} curves around the south side under cottonwoods.',
  ],
  river: [
    'The lot slopes gently to {water}, well above the flood line on the 2021 map.',
    'Sycamores lean over {water} at the end of the street.',
    'There is a good swimming hole ten minutes away and the neighbors will tell you where.',
    'Mist lifts off {water} until about nine, then the day is hot and still.',
    'From the back steps you look over {view}.',
    'Canoes hang in the barn and are included.',
  ],
};
