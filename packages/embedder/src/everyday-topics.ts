import { encode } from './encode.ts';
import { DIMENSIONS, MIN_NEAREST_BASE, MIN_NEAREST_SIMILARITY, TOPIC_SHARE } from './model.ts';

/**
 * Topics of daily life, after the categories that publishers use for web pages, without those about
 * work and technology. A query near one of them is probably not about an artifact.
 */
const TOPICS = [
  'amusement and theme parks',
  'bars and nightlife',
  'museums and galleries',
  'restaurants and dining out',
  'zoos and aquariums',
  'cars, trucks and motorcycles',
  'bicycles and scooters',
  'novels, poetry and comics',
  'movies and actors',
  'music, singers and concerts',
  'television shows',
  'theater, opera and dance',
  'painting and sculpture',
  'fashion and clothing',
  'shoes and accessories',
  'jewelry and watches',
  'beauty, makeup and perfume',
  'hair and skin care',
  'dental care and oral hygiene',
  'dating and marriage',
  'divorce and single life',
  'pregnancy and babies',
  'parenting toddlers and teenagers',
  'caring for the elderly',
  'cooking and recipes',
  'desserts and baking',
  'vegan and healthy diets',
  'wine, beer and cocktails',
  'coffee and tea',
  'fruit, vegetables, meat and fish',
  'fitness, exercise and weight loss',
  'yoga and meditation',
  'arts and crafts, knitting and sewing',
  'beekeeping and bird watching',
  'collecting antiques',
  'board games, cards and chess',
  'magic and illusion',
  'musical instruments',
  'genealogy',
  'fishing and hunting',
  'camping and hiking',
  'christmas, easter and halloween',
  'weddings and birthday parties',
  'funerals',
  'gardening and lawn care',
  'houseplants and flowers',
  'furniture and interior decoration',
  'kitchen appliances',
  'home repair and cleaning',
  'headaches, allergies and colds',
  'diseases and medicine',
  'surgery and hospitals',
  'back pain and injuries',
  'sleep disorders',
  'personal loans, mortgages and pensions',
  'lottery and gambling',
  'dogs and cats',
  'horses and farm animals',
  'reptiles, fish and other pets',
  'wild animals',
  'celebrities and royal families',
  'buying and renting a home',
  'astrology and horoscopes',
  'religion and prayer',
  'ancient history, kings and wars',
  'geography, mountains and rivers',
  'space travel and astronomy',
  'dinosaurs and fossils',
  'weather and seasons',
  'american football, baseball and basketball',
  'soccer championships',
  'tennis and golf',
  'swimming, diving and surfing',
  'skiing, skating and snowboarding',
  'running and marathons',
  'boxing and martial arts',
  'horse racing',
  'sailing and rowing',
  'climbing',
  'the olympic games',
  'beach holidays and cruises',
  'flights, hotels and luggage',
  'sightseeing in europe',
  'travel with children',
  'public transport and trains',
  'shopping and coupons',
  'toys for children',
];

let topics: Float32Array[] | undefined;

/**
 * Returns the minimum cosine of the nearest document for a query that shares no word with any
 * document. It is higher for a query that is near an everyday topic.
 */
export function leastNearest(query: string): number {
  topics ??= TOPICS.map((topic) => encode(topic));
  const vector = encode(query);
  const nearest = Math.max(...topics.map((topic) => dot(vector, topic)));
  return Math.max(MIN_NEAREST_SIMILARITY, MIN_NEAREST_BASE + TOPIC_SHARE * nearest);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let dimension = 0; dimension < DIMENSIONS; dimension += 1) {
    sum += (a[dimension] ?? 0) * (b[dimension] ?? 0);
  }
  return sum;
}
