// A first checkers bot in Go, for Crownhead and for the contest on CodinGame.
//
// It takes as many pieces as one move can; otherwise it prefers a move after which fewer of its own pieces
// are in danger; equals are decided at random. The place to make it stronger is `worth`.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"time"
)

// The board as it is read: row 8 first.
type board [8][]byte

// The piece on a square; a '#' outside the board.
func at(b board, row, column int) byte {
	if row < 0 || row >= 8 || column < 0 || column >= 8 {
		return '#'
	}
	return b[row][column]
}

// The board after a move: the piece is on the last square, and what it jumped over is gone.
func play(b board, move string) board {
	var after board
	for row := range b {
		after[row] = append([]byte{}, b[row]...)
	}
	for i := 0; i+3 < len(move); i += 2 { // "A3C5" is column A, row 3, then C, 5
		column, row := int(move[i]-'A'), int('8'-move[i+1])
		nextColumn, nextRow := int(move[i+2]-'A'), int('8'-move[i+3])
		after[nextRow][nextColumn] = after[row][column]
		after[row][column] = '.'
		if nextRow-row == 2 || row-nextRow == 2 {
			after[(row+nextRow)/2][(column+nextColumn)/2] = '.'
		}
	}
	return after
}

// In how many ways the opponent could jump over a piece of mine.
func dangers(b board, mine string) int {
	isMine := func(piece byte) bool { return strings.IndexByte(mine, piece) >= 0 }
	count := 0
	for row := 0; row < 8; row++ {
		for column := 0; column < 8; column++ {
			piece := b[row][column]
			if piece == '.' || isMine(piece) {
				continue
			}
			for _, down := range []int{1, -1} {
				// Red's men go down the board, away from row 8, black's men go up, kings both ways.
				if down == 1 && piece == 'b' || down == -1 && piece == 'r' {
					continue
				}
				for _, right := range []int{1, -1} {
					over := at(b, row+down, column+right)
					behind := at(b, row+2*down, column+2*right)
					if isMine(over) && behind == '.' {
						count++
					}
				}
			}
		}
	}
	return count
}

// The greater, the better. When one listed move is a jump, all are; so the longest name takes the most
// pieces. Fewer than 100 dangers fit on a board, and a random number is less than 1.
func worth(b board, mine, move string) float64 {
	return float64(100*len(move)-dangers(play(b, move), mine)) + rand.Float64()
}

func main() {
	rand.Seed(time.Now().UnixNano())
	in := bufio.NewScanner(os.Stdin)
	nextLine := func() string {
		if !in.Scan() {
			os.Exit(0) // the input has ended: the game is over
		}
		return strings.TrimSpace(in.Text())
	}
	mine := "rR" // red is told "r" or "w"
	if nextLine() == "b" {
		mine = "bB"
	}
	for {
		var b board
		for row := range b {
			b[row] = []byte(nextLine())
		}
		count, _ := strconv.Atoi(nextLine())
		best, bestWorth := "", -1.0
		for ; count > 0; count-- {
			move := nextLine()
			if moveWorth := worth(b, mine, move); moveWorth > bestWorth {
				best, bestWorth = move, moveWorth
			}
		}
		fmt.Println(best) // os.Stdout has no buffer, so that nothing needs flushing
	}
}
